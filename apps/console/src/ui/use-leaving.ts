import { useRef, useState } from 'react'
import { useUnsaved } from './use-unsaved.ts'

/**
 * A form that is closed by a button of its own, and by whatever takes its page away: while it is changed it asks first, either way. `names`: the
 * parts of the address that take it away.
 */
export function useLeaving(isChanged: boolean, onClose: () => void, names?: readonly string[]) {
  const [isAsked, setAsked] = useState(false)
  const isOver = useRef(false)
  const unsaved = useUnsaved(isChanged, names)
  const release = () => {
    isOver.current = true
    unsaved.release()
  }
  return {
    /** The question is to be shown. */
    asks: isAsked || unsaved.isLeaving,
    close: () => (isChanged && !isOver.current ? setAsked(true) : onClose()),
    /** What the question is answered by. */
    answers: {
      onLeave: () => {
        if (unsaved.isLeaving) return unsaved.leave()
        release()
        onClose()
      },
      onStay: () => {
        setAsked(false)
        unsaved.stay()
      },
    },
    /** It is saved: nothing is asked any more. */
    release,
  }
}
