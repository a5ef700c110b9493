/**
 * Places for the nodes of a network, so that distances in the picture are like distances in hops
 * (stress majorization). The same network is always drawn the same.
 */
export function places(names, links, { width, height, margin }) {
  const hops = distances(names, links);
  const points = names.map((_, index) => {
    const angle = (2 * Math.PI * index) / names.length - Math.PI / 2;
    return [Math.cos(angle) * names.length * 0.3, Math.sin(angle) * names.length * 0.3];
  });
  for (let round = 0; round < 300; round += 1) relax(points, hops);
  return fitted(names, upright(points), width, height, margin);
}

function distances(names, links) {
  const index = new Map(names.map((name, number) => [name, number]));
  const near = names.map(() => []);
  for (const { source, target } of links) {
    near[index.get(source)].push(index.get(target));
    near[index.get(target)].push(index.get(source));
  }
  return names.map((_, from) => {
    const found = names.map(() => Infinity);
    found[from] = 0;
    const queue = [from];
    for (const at of queue) for (const next of near[at]) if (found[next] === Infinity) { found[next] = found[at] + 1; queue.push(next); }
    // What cannot be reached stands aside.
    return found.map((each) => (each === Infinity ? names.length / 2 + 1 : each));
  });
}

function relax(points, hops) {
  for (const [i, own] of points.entries()) {
    let [x, y, weights] = [0, 0, 0];
    for (const [j, other] of points.entries()) {
      if (i === j) continue;
      const weight = 1 / hops[i][j] ** 2;
      const [dx, dy] = [own[0] - other[0], own[1] - other[1]];
      const pull = hops[i][j] / Math.max(Math.hypot(dx, dy), 1e-6);
      x += weight * (other[0] + dx * pull);
      y += weight * (other[1] + dy * pull);
      weights += weight;
    }
    if (weights > 0) points[i] = [x / weights, y / weights];
  }
}

/** Turned so that the longest way lies across. */
function upright(points) {
  const [mx, my] = [0, 1].map((axis) => points.reduce((sum, each) => sum + each[axis], 0) / points.length);
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  const angle = -0.5 * Math.atan2(2 * xy, xx - yy);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(([x, y]) => [(x - mx) * cos - (y - my) * sin, (x - mx) * sin + (y - my) * cos]);
}

function fitted(names, points, width, height, margin) {
  const range = (axis) => [Math.min(...points.map((each) => each[axis])), Math.max(...points.map((each) => each[axis]))];
  const [[left, right], [top, bottom]] = [range(0), range(1)];
  const scale = (value, least, most, length) => (most - least < 1e-6 ? length / 2 : margin + ((value - least) / (most - least)) * (length - 2 * margin));
  return new Map(names.map((name, index) => [name, [scale(points[index][0], left, right, width), scale(points[index][1], top, bottom, height)]]));
}
