import { announcements } from '@linewarden/contract'
import { isSoundDue } from '@linewarden/rules/screen'
import { useEffect } from 'react'
import { create } from 'zustand'
import { useSoundSwitch } from '../../app/notify/sound-switch.ts'
import { useSession } from '../../app/session/session.ts'
import { useNow } from '../../ui/use-now.ts'
import type { WallCalls } from './wall-calls.ts'

/** Whether the browser forbade the last sound: a wall that is silent for that says so. */
export const useWallSound = create<{ forbidden: boolean }>(() => ({ forbidden: false }))

let lastAt: number | null = null
let playing: HTMLAudioElement | null = null

/** Whether the account and this device want sound. */
export function useIsSoundOn(): boolean {
  const isOn = useSoundSwitch(({ on }) => on)
  return useSession(({ user }) => user?.Setting === 1) && isOn
}

/** Lets what takes over be heard, at once and then every thirty seconds, where the account and this device want sound. It draws nothing. */
export function TakeoverSound({ calls: { takeover } }: { calls: WallCalls }): null {
  const now = useNow()
  const isOn = useIsSoundOn()
  const isCalling = takeover !== null
  useEffect(() => {
    if (!isCalling) lastAt = null
    else if (isOn && isSoundDue(isCalling, lastAt, now)) {
      lastAt = now
      sound()
    }
  }, [now, isCalling, isOn])
  return null
}

function sound(): void {
  playing?.pause()
  playing = new Audio(announcements.alarm.sound)
  playing.play().then(
    () => useWallSound.setState({ forbidden: false }),
    (error: unknown) => {
      // Stopped by the next one it was no prohibition.
      if (error instanceof DOMException && error.name === 'NotAllowedError') useWallSound.setState({ forbidden: true })
    },
  )
}
