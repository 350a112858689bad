import { Fragment } from 'react'

const slash = ' / '

/** Names beside one another, each kept apart: one that is written from right to left does not change the order of the others. */
export function Place({ names, between = slash }: { names: readonly string[]; between?: string }) {
  return names.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and stay where they are.
    <Fragment key={index}>
      {index > 0 && between}
      <bdi>{name}</bdi>
    </Fragment>
  ))
}

/** The same for what takes no elements, as a title: each name between the marks that keep it apart. */
export const isolated = (names: readonly string[], between = slash): string =>
  names.map((name) => `\u2068${name}\u2069`).join(between)
