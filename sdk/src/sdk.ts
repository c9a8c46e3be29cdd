import { installSvc } from "./core/install-svc.ts";

installSvc();
