"""The loops over tokens on a GPU: kernels in Triton, and steps compiled by PyTorch.

Triton is imported only where a kernel is used.
"""
