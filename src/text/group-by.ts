/** Groups items by key, in the order of each group's first item. (Map.groupBy needs Node 21.) */
export function groupBy<Item>(items: readonly Item[], getKey: (item: Item) => string) {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
