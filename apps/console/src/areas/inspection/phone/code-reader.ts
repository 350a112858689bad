interface Reader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}

/** Fast enough for a hand that holds still a moment, slow enough for an old phone. */
const everyMs = 250

/** The browser's own reader where it has one; else a small one that comes in a file of its own. */
async function reader(): Promise<Reader> {
  const own = (
    globalThis as { BarcodeDetector?: { new (options: object): Reader; getSupportedFormats(): Promise<readonly string[]> } }
  ).BarcodeDetector
  const formats: readonly string[] = own ? await own.getSupportedFormats().catch(() => []) : []
  if (own && formats.includes('qr_code')) return new own({ formats: ['qr_code'] })
  const { BarcodeDetector } = await import('qr/decode.js')
  return new BarcodeDetector({ formats: ['qr_code'] })
}

/** Shows the camera in a video and hands on what it reads. Answers how to end it; `onAway` where there is no camera, or it is not given. */
export function readCodes(video: HTMLVideoElement, onRead: (text: string) => void, onAway: () => void): () => void {
  let stream: MediaStream | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const end = () => {
    isOver = true
    clearTimeout(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const look = async (by: Reader) => {
    if (isOver) return
    // A frame that cannot be read is no news: there is another.
    const [found] = video.readyState < video.HAVE_CURRENT_DATA ? [] : await by.detect(video).catch(() => [])
    if (isOver) return
    if (found) onRead(found.rawValue)
    timer = setTimeout(() => void look(by), everyMs)
  }
  const begin = async () => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    if (isOver) return end()
    video.srcObject = stream
    await look(await reader())
  }
  begin().catch(() => {
    end()
    onAway()
  })
  return end
}
