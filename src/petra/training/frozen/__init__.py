"""The objective of frozen features: GAP read by a frozen encoder, seeds side by side."""
