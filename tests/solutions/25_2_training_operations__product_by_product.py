def training_operations(B, T, V, C, L, h):
    """Add up the products of the forward pass, one after the other."""
    products = []
    for _ in range(L):
        products += [(T, C, C)] * 4  # queries, keys, values, output
        products += [(T, C, T), (T, T, C)]  # scores of all heads, then averages
        products += [(T, C, h), (T, h, C)]
    products.append((T, C, V))
    forward = sum(2 * n * k * m for n, k, m in products)
    return B * (forward + 2 * forward)
