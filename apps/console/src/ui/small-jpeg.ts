/** A picture small enough to send, upright, as base64: so many bytes and pixels a side at most. Empty: it cannot be made so small. */
export async function smallJpeg(file: File, maxBytes: number, maxPixels = 1_280): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, maxPixels / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  for (const quality of [0.8, 0.6, 0.4, 0.2]) {
    const data = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
    if (data.length * 0.75 < maxBytes) return data
  }
  return ''
}
