import torch


def wrong_cut_off(x, weight):
    """codes are cut off towards zero, not rounded to the nearest

    Feedback: the codes are cut off, not rounded
    """
    # wrong for: f([[1., 1.]], [[127., 1.9]]) gives codes [127, 1], right [127, 2]
    scales = weight.abs().amax(1) / 127
    steps = weight / torch.where(scales > 0, scales, 1)[:, None]
    codes = steps.to(torch.int8).float()
    return {"scales": scales, "codes": codes.long(), "product": x @ (codes * scales[:, None]).T}


def wrong_tiny_rows(x, weight):
    """a smallest divisor against zeros is far too large for rows of tiny weights

    Feedback: a tiny or huge row gets other codes: its steps are its own
    """
    # wrong for: f([[1., 1.]], [[1e-7, -1e-7]]) gives codes [10, -10], right [127, -127]
    scales = weight.abs().amax(1) / 127
    codes = (weight / scales.clamp(min=1e-8)[:, None]).round()
    return {"scales": scales, "codes": codes.long(), "product": (x @ codes.T) * scales}


def wrong_scale_one_for_zeros(x, weight):
    """a row of zeros is handed back with scale 1, the stand-in for the division

    Feedback: a scale is not its row's largest absolute value over 127
    """
    # wrong for: f([[1.]], [[0.]]) gives scales [1], right [0]
    scales = weight.abs().amax(1) / 127
    scales = torch.where(scales == 0, torch.ones_like(scales), scales)
    codes = torch.round(weight / scales[:, None])
    return {"scales": scales, "codes": codes.long(), "product": x @ (codes * scales[:, None]).T}


def wrong_largest_without_sign(x, weight):
    """the largest weight is taken, not the largest absolute value, and codes are clamped

    Feedback: the largest weight is taken: a negative one may be larger
    """
    # wrong for: f([[1., 1.]], [[1., -2.]]) gives codes [127, -127], right [64, -127]
    scales = weight.amax(1).abs() / 127
    codes = (weight / torch.where(scales > 0, scales, 1)[:, None]).round().clamp(-127, 127)
    return {"scales": scales, "codes": codes.long(), "product": (x @ codes.T) * scales}


def wrong_product_of_weights(x, weight):
    """the product is that of the weights as they were, not of what codes and scales mean

    Feedback: the product is made of the weights as they were before rounding
    """
    # wrong for: f([[0., 1.]], [[127., 1.4]]) gives product 1.4, right 1.0
    scales = weight.abs().amax(1) / 127
    codes = (weight / torch.where(scales > 0, scales, 1)[:, None]).round()
    return {"scales": scales, "codes": codes.long(), "product": x @ weight.T}


def wrong_scales_in_16_bits(x, weight):
    """scales are rounded to bfloat16 as in the lesson, which the statement leaves out

    Feedback: a scale is not its row's largest absolute value over 127
    """
    # wrong for: f([[1.]], [[1.]]) gives scales [0.007874 in bfloat16 = 0.0078735], right 1/127 = 0.00787402;
    # f([[1.]], [[1.3]]) gives product 1.3022, right 1.3
    scales = (weight.abs().amax(1) / 127).bfloat16().float()
    codes = (weight / torch.where(scales > 0, scales, 1)[:, None]).round().clamp(-127, 127)
    return {"scales": scales, "codes": codes.long(), "product": (x @ codes.T) * scales}


def right_scale_late(x, weight):
    """codes kept as int8, the scale multiplied in behind the sum"""
    largest = weight.abs().max(dim=1, keepdim=True).values
    shares = torch.nan_to_num(weight / largest)  # 0 / 0 is 0
    codes = (shares * 127).round().to(torch.int8)
    scales = (largest / 127).squeeze(1)
    late = torch.einsum("bk,nk->bn", x, codes.to(x.dtype)) * scales
    return {"scales": scales, "codes": codes, "product": late}


def right_row_by_row(x, weight):
    """one row of the matrix after the other, codes as int64"""
    scales, codes, columns = [], [], []
    for row in weight.unbind(0):
        scale = torch.linalg.vector_norm(row, ord=float("inf")) / 127
        code = torch.zeros_like(row) if scale == 0 else torch.round(row / scale)
        scales.append(scale)
        codes.append(code.long())
        columns.append(torch.mv(x, code * scale))
    return {
        "product": torch.stack(columns, dim=1),
        "codes": torch.stack(codes),
        "scales": torch.stack(scales),
    }


# STATEMENT: ties (exactly half a step) are not defined; torch rounds them to even, "nearest" allows both. The type of codes (float or integer) is
# free. "A row made a hundred times larger keeps its codes" holds in float32 only where no weight stands next to half a step, since 100 x is rounded.
# Rows so tiny that largest / 127 underflows (below about 1e-43) have scale 0 without being zeros: not defined.
