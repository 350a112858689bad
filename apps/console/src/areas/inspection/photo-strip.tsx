import { roundPhoto } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'

/** Photos of an answer; a hatched field where there is none, or where one is still on a phone. */
export function PhotoStrip({
  roundId,
  hashes,
  missing,
}: {
  roundId: string
  hashes: readonly string[]
  missing: readonly string[]
}) {
  const { t } = useTranslation('inspection')
  const here = hashes.filter((hash) => !missing.includes(hash))
  return (
    <div className="photo-strip">
      {here.map((hash, at) => (
        <RoundPicture key={hash} roundId={roundId} hash={hash} no={at + 1} />
      ))}
      {here.length === 0 && (
        <div className="photo-none hatch">
          {missing.length > 0 && <small>{t('photosAway', { count: missing.length })}</small>}
        </div>
      )}
    </div>
  )
}

function RoundPicture({ roundId, hash, no }: { roundId: string; hash: string; no: number }) {
  const { t } = useTranslation('inspection')
  const params = { RoundID: roundId, Hash: hash }
  const { data } = useQuery({
    queryKey: keyOf(roundPhoto, { params }),
    // What is called by its hash is never another.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { bytes, type } = await api.call(roundPhoto, { params })
      return dataUrl(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }))
    },
  })
  if (data === undefined) return <div className="photo-none hatch" />
  return <img src={data} alt={t('photoNo', { no })} />
}

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
