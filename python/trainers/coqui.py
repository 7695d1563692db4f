"""The Trainer of coqui-tts, as its recipes start it."""

import glob
import os


def train(model, config, output):
    """Trains from the beginning, or from the checkpoint that a run in this folder kept."""
    from trainer import Trainer, TrainerArgs
    kept = glob.glob(output + "/*/checkpoint_*.pth")
    Trainer(TrainerArgs(continue_path=os.path.dirname(kept[0]) if kept else ""), config, output, model=model.init_from_config(config),
            train_samples=[{}], eval_samples=[]).fit()
