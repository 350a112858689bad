import type { ZoneClock } from '@linewarden/contract'
import type { TimeRange } from './address.ts'
import { optionOf, sidesOf } from './chart-option.ts'
import type { Chart } from './echarts.ts'
import { makeChart } from './echarts.ts'
import { followGestures } from './gestures.ts'
import { hatchOf } from './hatch.ts'
import type { Picture } from './picture.ts'

/** A range is asked for when the hand has rested this long. */
const settleMs = 200

interface Hand {
  /** Another range is shown, and not yet asked for. */
  readonly onMove: () => void
  readonly onRest: (range: TimeRange) => void
}

/** The time axes that are drawn, one below the other. */
interface Axes {
  readonly count: number
  readonly range: TimeRange
  readonly zone: ZoneClock
}

/** The picture in its element. While a range is being chosen the picture that is there moves along. */
export class MovingPicture {
  readonly #element: HTMLElement
  readonly #chart: Chart
  readonly #resize: ResizeObserver
  readonly #leave: () => void
  #range: TimeRange
  #axes: Axes | null = null
  #settle: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLElement, range: TimeRange, hand: Hand) {
    this.#element = element
    this.#range = range
    const chart = makeChart(element)
    this.#chart = chart
    // It also tells of the size that the picture was made with: then there is nothing to draw again.
    this.#resize = new ResizeObserver(() => {
      if (chart.getWidth() !== element.clientWidth || chart.getHeight() !== element.clientHeight) chart.resize()
    })
    this.#resize.observe(element)
    const phone = matchMedia('(max-width: 760px)')
    this.#leave = followGestures(element, {
      range: () => this.#range,
      area: () => {
        const { left, right } = sidesOf(phone.matches)
        return { left, width: Math.max(1, element.clientWidth - left - right) }
      },
      show: (range) => {
        this.#range = range
        hand.onMove()
        this.moveAxes()
        clearTimeout(this.#settle)
        this.#settle = setTimeout(() => hand.onRest(range), settleMs)
      },
    })
  }

  /** The page has another range: gestures begin from it. */
  setRange(range: TimeRange): void {
    this.#range = range
  }

  /** In the next frame: so the answer is asked for first, and of several moves only the last is drawn. */
  moveAxes(): void {
    if (!this.#axes) return
    const { count, range, zone } = this.#axes
    const { from, to } = this.#range
    if (range.from === from && range.to === to) return
    this.#axes = { count, range: { from, to }, zone }
    const x = { min: zone.local(from), max: zone.local(to) }
    this.#chart.setOption({ xAxis: Array.from({ length: count }, () => x) }, { lazyUpdate: true })
  }

  draw(picture: Omit<Picture, 'range' | 'token' | 'hatch'>, height: number): void {
    const style = getComputedStyle(this.#element)
    const token = (name: string) => style.getPropertyValue(name).trim()
    // The box may have grown with the number of panels; its observer tells later.
    if (this.#chart.getHeight() !== height) this.#chart.resize({ height })
    const hatch = hatchOf(token)
    performance.mark('history-draw')
    const option = optionOf({ ...picture, range: this.#range, token, hatch })
    this.#axes = { count: option.xAxis.length, range: this.#range, zone: picture.zone }
    this.#chart.setOption(option, { notMerge: true })
    performance.measure('history-drawn', 'history-draw')
  }

  dispose(): void {
    clearTimeout(this.#settle)
    this.#leave()
    this.#resize.disconnect()
    this.#chart.dispose()
  }
}
