import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeptPhoto } from '../../../app/offline/kept.ts'
import { photoOf } from '../../../app/offline/kept.ts'
import { smallPhoto } from '../../../app/offline/photo.ts'
import { space } from '../../../app/offline/space.ts'
import { Icon } from '../../../ui/icon.tsx'

const maxPhotos = 6

/** Photos of an answer, or of an order. Whether there is room for one more is asked before the camera opens. */
export function PhotoField({
  hashes,
  isAsked,
  max = maxPhotos,
  onPhoto,
}: {
  hashes: readonly string[]
  isAsked: boolean
  max?: number
  onPhoto: (photo: KeptPhoto) => Promise<void>
}) {
  const { t } = useTranslation('phoneRounds')
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setProblem(null)
    const { isFull } = await space()
    if (isFull) setProblem(t('full'))
    else input.current?.click()
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    const photo = await smallPhoto(file)
    if (photo) await onPhoto(photo)
    else setProblem(t('noPicture'))
    setBusy(false)
  }
  return (
    <div className="phone-photos">
      {hashes.map((hash) => (
        <KeptPicture key={hash} hash={hash} />
      ))}
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <button type="button" className="btn" aria-busy={busy} disabled={hashes.length >= max} onClick={() => void open()}>
        <Icon name="camera" />
        {t(hashes.length === 0 ? (isAsked ? 'photoAsked' : 'photo') : 'photoMore')}
      </button>
      {problem !== null && (
        <p className="phone-note warning" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** A photo that still lies on this phone; a hatched field once only the server has it. */
export function KeptPicture({ hash }: { hash: string }) {
  const { t } = useTranslation('phoneRounds')
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isHere = true
    photoOf(hash)
      .then(async (bytes) => bytes && (await dataUrl(bytes)))
      .then((found) => isHere && setAddress(found), reportError)
    return () => {
      isHere = false
    }
  }, [hash])
  return address === null ? (
    <span className="phone-picture hatch" role="img" aria-label={t('photoSent')} />
  ) : (
    <img className="phone-picture" src={address} alt={t('photo')} />
  )
}

const dataUrl = (bytes: ArrayBuffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([bytes], { type: 'image/jpeg' }))
  })
