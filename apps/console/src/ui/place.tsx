import { Fragment } from 'react'

/** Between the names of a place as the server writes it: project, gateway, line. */
const between = ' / '

/** A place, each of its names kept apart: one that is written from right to left does not change the order of the others. */
export function Place({ text }: { text: string }) {
  return text.split(between).map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and stay where they are.
    <Fragment key={index}>
      {index > 0 && between}
      <bdi>{name}</bdi>
    </Fragment>
  ))
}

/** The same for what takes no elements, as a title: each name between the marks that keep it apart. */
export const isolated = (text: string): string =>
  text
    .split(between)
    .map((name) => `\u2068${name}\u2069`)
    .join(between)
