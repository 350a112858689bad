import { screenBeat } from '@linewarden/contract'
import { useEffect } from 'react'
import { api } from '../../../app/net/api.ts'
import { silentFor } from '../../../app/net/live-link.ts'
import { serverNow } from '../../../ui/use-now.ts'
import { buildId } from './build-id.ts'
import { lateFrames } from './late-frames.ts'

const everyMs = 30_000
const answerMs = 10_000
const megabyte = 1_048_576

/** A wall says every half minute that it is there, and how it is. */
export function useBeat(): void {
  useEffect(() => {
    const frames = lateFrames()
    const beat = () => {
      const body = { Build: buildId(), HeapMb: heapMb(), LateMs: frames.take(), DataAt: dataAt(), Page: pageNow() }
      // A beat that is lost is followed by the next: what it missed says the server.
      api.call(screenBeat, { body }, { timeoutMs: answerMs }).catch(() => undefined)
    }
    beat()
    const each = setInterval(beat, everyMs)
    return () => {
      clearInterval(each)
      frames.stop()
    }
  }, [])
}

const pageNow = (): string => location.pathname.slice(0, 120)

const dataAt = (): number | null => {
  const silent = silentFor()
  return silent > 86_400_000 ? null : Math.max(0, Math.round(serverNow() - silent))
}

/** Chromium alone says how much it uses. */
function heapMb(): number | null {
  const { memory } = performance as { memory?: { usedJSHeapSize: number } }
  return memory ? Math.min(65_536, Math.round((memory.usedJSHeapSize / megabyte) * 10) / 10) : null
}
