import type { ReactNode } from 'react'
import { createContext, useContext, useLayoutEffect, useState } from 'react'

/** A frame in px of its own, scaled to the display as a whole: nothing depends on the pixels of a panel. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** Below this a label of 14 px could not be read at a desk. */
const leastScale = 0.86

/** The frame for a window: 1,920 x 1,080 as far as it goes, on its side where the window is, and larger where that would be too small to read. */
export function frameFor(width: number, height: number): Frame {
  const [wide, high] = width >= height ? [1_920, 1_080] : [1_080, 1_920]
  const scale = Math.max(leastScale, Math.min(width / wide, height / high))
  return { width: Math.round(width / scale), height: Math.round(height / scale), scale }
}

const StageFrame = createContext<Frame>({ width: 1_920, height: 1_080, scale: 1 })

/** The frame that the wall is drawn in. */
export const useFrame = (): Frame => useContext(StageFrame)

export function Stage({ children }: { children: ReactNode }) {
  const [frame, setFrame] = useState(() => frameFor(innerWidth, innerHeight))
  useLayoutEffect(() => {
    const fit = () => setFrame(frameFor(innerWidth, innerHeight))
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [])
  const { width, height, scale } = frame
  return (
    <StageFrame value={frame}>
      <div className="stage" style={{ width, height, transform: `scale(${scale})` }}>
        {children}
      </div>
    </StageFrame>
  )
}
