import torch


def layout_of(x, turned):
    """The absolute value of a complex number stays when it is turned."""
    D = x.shape[1]
    fits = []
    for name, lanes in (
        ("pairs", torch.arange(D).view(-1, 2)),
        ("halves", torch.arange(D).view(2, -1).T),
    ):
        before, after = (torch.complex(*v[:, lanes].unbind(-1)).abs() for v in (x, turned))
        if float((before - after).abs().max()) < 1e-4:
            fits.append(name)
    if len(fits) == 2:
        return "both"
    return fits[0] if fits else "neither"
