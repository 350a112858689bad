import type { EventRecord } from '@linewarden/contract'
import { announcements } from '@linewarden/contract'
import { create } from 'zustand'
import { play } from '../../ui/sound.ts'
import { useSession } from '../session/session.ts'

const key = 'linewarden.sound'

/** This device's own switch; the account's (`/users/status/setting`) must be on as well. */
export const useSoundSwitch = create<{ on: boolean }>(() => ({ on: localStorage.getItem(key) !== 'off' }))

export function setSoundSwitch(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
  useSoundSwitch.setState({ on })
}

/** Lets an event be heard, if the account and this device want it. */
export function soundOf({ Kind }: EventRecord): void {
  const { sound } = announcements[Kind]
  if (sound !== '' && useSoundSwitch.getState().on && useSession.getState().user?.Setting === 1) play(sound)
}
