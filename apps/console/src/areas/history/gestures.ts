import type { TimeRange } from './address.ts'
import { moved, zoomed } from './address.ts'

export interface GestureTarget {
  /** The range that is shown now. */
  readonly range: () => TimeRange
  /** Left edge and width of the panels, in pixels of the element. */
  readonly area: () => { readonly left: number; readonly width: number }
  /** Shows another range at once, with the picture that is there. */
  readonly show: (range: TimeRange) => void
}

const wheelStep = 1.25

const keys: ReadonlyMap<string, (range: TimeRange) => TimeRange> = new Map([
  ['ArrowLeft', (range) => moved(range, -0.1)],
  ['ArrowRight', (range) => moved(range, 0.1)],
  ['PageUp', (range) => moved(range, -1)],
  ['PageDown', (range) => moved(range, 1)],
  ['+', (range) => zoomed(range, 0.5, 0.5)],
  ['=', (range) => zoomed(range, 0.5, 0.5)],
  ['-', (range) => zoomed(range, 2, 0.5)],
])

/** Wheel zooms, wheel to the side and dragging pan, two fingers zoom. Answers how to stop. */
export function followGestures(element: HTMLElement, target: GestureTarget): () => void {
  const down = new Map<number, number>()
  let start: { range: TimeRange; places: readonly number[] } | null = null
  const place = (clientX: number): number => {
    const { left, width } = target.area()
    return Math.min(1, Math.max(0, (clientX - element.getBoundingClientRect().left - left) / width))
  }
  const begin = () => {
    start = { range: target.range(), places: [...down.values()] }
  }
  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    const sideways = event.shiftKey ? event.deltaY : event.deltaX
    if (Math.abs(sideways) > (event.shiftKey ? 0 : Math.abs(event.deltaY)))
      return target.show(moved(target.range(), Math.sign(sideways) * 0.1))
    if (event.deltaY !== 0)
      target.show(zoomed(target.range(), event.deltaY > 0 ? wheelStep : 1 / wheelStep, place(event.clientX)))
  }
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || down.size === 2) return
    element.setPointerCapture(event.pointerId)
    down.set(event.pointerId, place(event.clientX))
    begin()
  }
  const onMove = (event: PointerEvent) => {
    if (!start || !down.has(event.pointerId)) return
    down.set(event.pointerId, place(event.clientX))
    const [a = 0, b] = start.places
    const [nowA = 0, nowB] = [...down.values()]
    if (b === undefined || nowB === undefined) {
      if (Math.abs(a - nowA) > 0.002) target.show(moved(start.range, a - nowA))
      return
    }
    const factor = Math.abs(a - b) / Math.max(0.02, Math.abs(nowA - nowB))
    const middle = (a + b) / 2
    target.show(moved(zoomed(start.range, factor, middle), middle - (nowA + nowB) / 2))
  }
  const onUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return
    if (down.size > 0) begin()
    else start = null
  }
  const onKey = (event: KeyboardEvent) => {
    const next = keys.get(event.key)
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    target.show(next(target.range()))
  }
  element.addEventListener('wheel', onWheel, { passive: false })
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  element.addEventListener('keydown', onKey)
  return () => {
    element.removeEventListener('wheel', onWheel)
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onUp)
    element.removeEventListener('keydown', onKey)
  }
}
