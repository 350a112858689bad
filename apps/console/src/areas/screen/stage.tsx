import type { ReactNode } from 'react'
import { createContext, useContext, useLayoutEffect, useState } from 'react'
import { useByNow } from '../../ui/use-now.ts'

/** A frame in px of its own, scaled to the display as a whole: nothing depends on the pixels of a panel. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly scale: number
  /** So far the picture wanders on its display, to each side; 0: it stands still. */
  readonly margin: number
}

/** A picture that never moves burns into a panel: it wanders so far, in px of the display. */
const driftPx = 12
/** One place a minute. */
const driftEveryMs = 60_000
const around = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const

/** Which of nine places the picture has at a moment. */
export const driftPlace = (now: number): number => Math.floor(now / driftEveryMs) % around.length

/** Below this a label of 14 px could not be read at a desk. */
const leastScale = 0.86

/** The frame for a window: 1,920 x 1,080 as far as it goes, on its side where the window is, and larger where that would be too small to read. */
export function frameFor(width: number, height: number): Frame {
  const [wide, high] = width >= height ? [1_920, 1_080] : [1_080, 1_920]
  // A window at a desk is smaller than any panel that could burn in.
  const margin = width >= wide && height >= high ? driftPx : 0
  const [left, top] = [width - 2 * margin, height - 2 * margin]
  const scale = Math.max(leastScale, Math.min(left / wide, top / high))
  return { width: Math.round(left / scale), height: Math.round(top / scale), scale, margin }
}

const StageFrame = createContext<Frame>({ width: 1_920, height: 1_080, scale: 1, margin: 0 })

/** The frame that the wall is drawn in. */
export const useFrame = (): Frame => useContext(StageFrame)

export function Stage({ children }: { children: ReactNode }) {
  const [frame, setFrame] = useState(() => frameFor(innerWidth, innerHeight))
  useLayoutEffect(() => {
    const fit = () => setFrame(frameFor(innerWidth, innerHeight))
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [])
  const { width, height, scale, margin } = frame
  const [x, y] = around[useByNow(driftPlace)] ?? around[0]
  const place = `${margin * (1 + x)}px ${margin * (1 + y)}px`
  return (
    <StageFrame value={frame}>
      <div className="stage" style={{ width, height, transform: `scale(${scale})`, translate: place }}>
        {children}
      </div>
    </StageFrame>
  )
}
