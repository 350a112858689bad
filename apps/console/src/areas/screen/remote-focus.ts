/** Where something stands on the screen. */
export interface FocusBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** A key of a remote control, of a keyboard or of a browser of a television, as a direction. */
export const directionOf = (key: string): Direction | null =>
  (({ ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }) as const)[key] ?? null

/** Samsung and LG have keys of their own for it, and no name. */
const backCodes: ReadonlySet<number> = new Set([461, 10_009])
const backKeys: ReadonlySet<string> = new Set(['Escape', 'Backspace', 'BrowserBack', 'GoBack'])

export const isBack = ({ key, keyCode }: { readonly key: string; readonly keyCode: number }): boolean =>
  backKeys.has(key) || backCodes.has(keyCode)

const middle = ({ left, right, top, bottom }: FocusBox) => ({ x: (left + right) / 2, y: (top + bottom) / 2 })

/**
 * The next place of the focus: of what lies in the direction the nearest, where what is off to the side counts as farther. From nowhere it goes to
 * the first. Its index; null: there is nothing that way, and the focus stays.
 */
export function nextFocus(boxes: readonly FocusBox[], from: number | null, direction: Direction): number | null {
  const start = from === null ? undefined : boxes[from]
  if (!start) return boxes.length > 0 ? 0 : null
  const at = middle(start)
  let best: { readonly index: number; readonly far: number } | null = null
  for (const [index, box] of boxes.entries()) {
    if (index === from) continue
    const { x, y } = middle(box)
    const [ahead, aside] = {
      left: [at.x - x, y - at.y],
      right: [x - at.x, y - at.y],
      up: [at.y - y, x - at.x],
      down: [y - at.y, x - at.x],
    }[direction] as [number, number]
    if (ahead <= 1 || Math.abs(aside) > 4 * ahead) continue
    const far = ahead + 2 * Math.abs(aside)
    if (!best || far < best.far) best = { index, far }
  }
  return best?.index ?? null
}
