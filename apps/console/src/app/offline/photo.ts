import type { KeptPhoto } from './kept.ts'

/** As the contract has it. */
const maxBytes = 400_000
const sizes = [1_600, 1_280, 960, 640] as const
const qualities = [0.8, 0.65, 0.5] as const

/** A photo small enough to send. It is drawn anew: where and with what it was taken is no longer in it. Null: no picture, or it cannot be made so small. */
export async function smallPhoto(file: Blob): Promise<KeptPhoto | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  for (const size of sizes) {
    for (const quality of qualities) {
      const bytes = await (await drawn(bitmap, size, quality))?.arrayBuffer()
      if (bytes && bytes.byteLength <= maxBytes) return { hash: await sha256(bytes), bytes }
    }
  }
  return null
}

function drawn(bitmap: ImageBitmap, size: number, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, size / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/** Lower-case hex. */
export const sha256 = async (bytes: BufferSource): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
