"""File formats: tables, Label Studio, peerannot, SageMaker Ground Truth.

One file is one format, or one family of them. Paths, suffixes, compression and safe writing are in `quorate.io.files`;
what a file means, such as votes or items, is in the other modules of `quorate.io`.
"""
