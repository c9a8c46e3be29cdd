/** Vite replaces it by the address of the file. */
declare module "*.svg" {
  const address: string;
  export default address;
}
