import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../app/notify/toasts.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Only some browsers let a page switch the lamp of the camera. */
const mayBeLit = (): boolean => {
  const supported = navigator.mediaDevices?.getSupportedConstraints?.()
  return supported !== undefined && 'torch' in supported && supported.torch === true
}

/** The lamp beside the camera, for as long as this page is open. */
export function TorchButton() {
  const { t } = useTranslation('phoneRounds')
  const stream = useRef<MediaStream | null>(null)
  const [isLit, setLit] = useState(false)
  useEffect(() => () => stop(stream.current), [])
  if (!mayBeLit()) return null
  const press = async () => {
    if (isLit) {
      stop(stream.current)
      stream.current = null
      setLit(false)
      return
    }
    try {
      stream.current = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      const [track] = stream.current.getVideoTracks()
      await track?.applyConstraints({ advanced: [{ torch: true } as MediaTrackConstraintSet] })
      setLit(true)
    } catch {
      stop(stream.current)
      stream.current = null
      toast('info', t('noTorch'))
    }
  }
  return (
    <button type="button" className="phone-tool" aria-label={t('torch')} aria-pressed={isLit} onClick={() => void press()}>
      <Icon name="torch" />
    </button>
  )
}

function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
