import type { OrderPhoto } from '@linewarden/contract'
import { sendOrderPhoto } from '@linewarden/contract'
import { create } from 'zustand'
import { messageOf } from '../../app/net/api.ts'
import { newId } from '../../app/net/new-id.ts'
import type { ReadyPhoto } from '../../app/net/ready-photo.ts'
import { readyPhoto } from '../../app/net/ready-photo.ts'
import { touched } from '../../app/net/touched.ts'
import { useSession } from '../../app/session/session.ts'
import { sendPhotoOfOrder } from './photo-sending.ts'

/** A photo that was chosen, until the server holds it. */
export interface UnsentPhoto {
  readonly id: string
  readonly orderId: number
  readonly role: OrderPhoto['Role']
  readonly file: File
  /** Null: not scaled down yet. */
  readonly ready: ReadyPhoto | null
  readonly received: number
  readonly state: 'waiting' | 'sending' | 'unreadable' | 'failed'
  /** Why it failed, as a person reads it. */
  readonly problem: string
}

/** Photos on their way. They go on while their order is closed and opened again; with the page, they are gone. */
const useUnsent = create<{ readonly photos: readonly UnsentPhoto[] }>(() => ({ photos: [] }))

export const useUnsentPhotos = (orderId: number): readonly UnsentPhoto[] => {
  const photos = useUnsent((state) => state.photos)
  return photos.filter((photo) => photo.orderId === orderId)
}

// Nothing of one person is sent, or shown, under the next.
useSession.subscribe((now, before) => {
  if (now.userId !== before.userId) useUnsent.setState({ photos: [] })
})

/** Sends chosen photos, one after the other: on a weak link the first is there before the next begins. */
export function addPhotos(orderId: number, role: OrderPhoto['Role'], files: readonly File[]): void {
  const photos = files.map(
    (file): UnsentPhoto => ({ id: newId(), orderId, role, file, ready: null, received: 0, state: 'waiting', problem: '' }),
  )
  useUnsent.setState((state) => ({ photos: [...state.photos, ...photos] }))
  void sendNext()
}

export function sendAgain(id: string): void {
  update(id, { state: 'waiting', problem: '' })
  void sendNext()
}

export const giveUp = (id: string): void =>
  useUnsent.setState((state) => ({ photos: state.photos.filter((photo) => photo.id !== id) }))

let sends = false

async function sendNext(): Promise<void> {
  if (sends) return
  sends = true
  try {
    for (let next = waiting(); next; next = waiting()) await sendOne(next)
  } finally {
    sends = false
  }
}

const waiting = () => useUnsent.getState().photos.find(({ state }) => state === 'waiting')

async function sendOne({ id, orderId, role, file, ready: before, received }: UnsentPhoto): Promise<void> {
  update(id, { state: 'sending' })
  const ready = before ?? (await readyPhoto(file))
  if (!ready) return update(id, { state: 'unreadable' })
  update(id, { ready })
  try {
    await sendPhotoOfOrder(ready, { orderId, role, from: received, onReceived: (now) => update(id, { received: now }) })
    await touched(sendOrderPhoto)
    giveUp(id)
  } catch (error) {
    update(id, { state: 'failed', problem: messageOf(error) })
  }
}

/** Of one that was given up meanwhile nothing is said any more. */
function update(id: string, change: Partial<UnsentPhoto>): void {
  useUnsent.setState((state) => ({ photos: state.photos.map((photo) => (photo.id === id ? { ...photo, ...change } : photo)) }))
}
