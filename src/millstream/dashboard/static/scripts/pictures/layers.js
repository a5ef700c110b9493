/** Places for a graph of who is made from whom: sources on the left, each layer ordered to cross little. */
const [WIDE, HIGH, ACROSS, DOWN] = [150, 38, 96, 22];

export function layered(names, edges) {
  const depth = depths(names, edges);
  const layers = [];
  for (const name of names) (layers[depth.get(name)] ??= []).push(name);
  for (let round = 0; round < 8; round += 1) order(layers, edges, round % 2 === 0);
  const tallest = Math.max(1, ...layers.map((each) => each.length));
  const height = tallest * (HIGH + DOWN) + DOWN;
  const places = new Map();
  layers.forEach((layer, column) => {
    const top = (height - layer.length * (HIGH + DOWN)) / 2;
    layer.forEach((name, row) => places.set(name, { x: 16 + column * (WIDE + ACROSS), y: top + DOWN / 2 + row * (HIGH + DOWN), width: WIDE, height: HIGH }));
  });
  return { places, width: 32 + layers.length * WIDE + (layers.length - 1) * ACROSS, height };
}

function depths(names, edges) {
  const depth = new Map(names.map((name) => [name, 0]));
  // As many rounds as there are names are enough, also where somebody errs and there is a ring.
  for (let round = 0; round < names.length; round += 1) {
    let changed = false;
    for (const { shared, by } of edges) {
      const least = Math.min(depth.get(shared) + 1, names.length);
      if (depth.get(by) < least) { depth.set(by, least); changed = true; }
    }
    if (!changed) break;
  }
  const used = [...new Set(depth.values())].sort((one, other) => one - other);
  return new Map([...depth].map(([name, each]) => [name, used.indexOf(each)]));
}

function order(layers, edges, forward) {
  const rank = new Map(layers.flatMap((layer) => layer.map((name, index) => [name, index / layer.length])));
  for (const layer of forward ? layers : [...layers].reverse()) {
    const middle = new Map(layer.map((name) => {
      const near = edges.flatMap((each) => (each.by === name && forward ? [each.shared] : each.shared === name && !forward ? [each.by] : []));
      return [name, near.length ? near.reduce((sum, each) => sum + rank.get(each), 0) / near.length : rank.get(name)];
    }));
    layer.sort((one, other) => middle.get(one) - middle.get(other));
    layer.forEach((name, index) => rank.set(name, index / layer.length));
  }
}
