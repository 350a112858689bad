import type { PointerEvent } from 'react'
import { useRef, useState } from 'react'

/** So far a card is drawn before it is let go for good, in CSS pixels; and so far a finger may stray before it is a swipe at all. */
const enough = 96
const slack = 12

/** A card that is drawn aside with a finger: how far it is drawn, and what it needs to know of the finger. */
export function useSwipe(enabled: boolean, onSwiped: () => void) {
  const [drawn, setDrawn] = useState(0)
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number; moving: boolean } | null>(null)
  const end = () => {
    start.current = null
    setDrawn(0)
  }
  return {
    drawn,
    isEnough: Math.abs(drawn) >= enough,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (!enabled || event.pointerType === 'mouse') return
        start.current = { id: event.pointerId, x: event.clientX, y: event.clientY, moving: false }
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const from = start.current
        if (from?.id !== event.pointerId) return
        const x = event.clientX - from.x
        // Up or down it is the list that moves.
        if (!from.moving && Math.abs(event.clientY - from.y) > Math.abs(x)) return end()
        if (!from.moving && Math.abs(x) < slack) return
        if (!from.moving) event.currentTarget.setPointerCapture(event.pointerId)
        from.moving = true
        setDrawn(x)
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        const from = start.current
        if (from?.id !== event.pointerId) return
        const isFar = from.moving && Math.abs(event.clientX - from.x) >= enough
        end()
        if (isFar) onSwiped()
      },
      onPointerCancel: end,
    },
  }
}
