"""Print what python/voxpack/settings would set, as JSON, without torch and TensorFlow: what they
answer is said by the arguments. Arguments: the folder python/voxpack, cores, and for each machine
the compute capabilities of its GPUs as 8.0,9.0 or an empty text. A line for each machine.
"""

import json
import sys
from unittest.mock import MagicMock

folder, cores = sys.argv[1], int(sys.argv[2])
gpus = []  # of the machine that is asked about

torch = sys.modules["torch"] = MagicMock()
torch.cuda.is_available.side_effect = lambda: bool(gpus)
torch.cuda.device_count.side_effect = lambda: len(gpus)
torch.cuda.is_initialized.return_value = False
torch.__version__ = "0"
torch.float16, torch.bfloat16 = "torch.float16", "torch.bfloat16"

tensorflow = sys.modules["tensorflow"] = MagicMock()
tensorflow.__version__ = "0"
tensorflow.config.list_physical_devices.side_effect = lambda kind: list(gpus)
tensorflow.config.experimental.get_device_details.side_effect = lambda gpu: {"compute_capability": gpu}

sys.path.insert(0, folder)
import settings  # noqa: E402
from settings import for_tensorflow, for_torch  # noqa: E402

for_torch._capabilities = lambda: gpus
for machine in sys.argv[3:]:
    gpus[:] = [tuple(int(n) for n in text.split(".")) for text in machine.split(",") if text]
    print(json.dumps({
        "torch": {k: str(v) for k, v in settings.settings("torch", cores=cores).values.items()},
        "tensorflow": {k: str(v) for k, v in settings.settings("tensorflow", cores=cores).values.items()},
        "growth": for_tensorflow._GROW,
        "allocator": for_torch._variable(torch),
    }))
