import type { WorkOrder } from '@linewarden/contract'
import { commentWorkOrder, maxCommentPhotos } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import type { ReadyPhoto } from '../../app/net/ready-photo.ts'
import { readyPhoto } from '../../app/net/ready-photo.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { TextArea } from '../../ui/fields.tsx'
import { PhotoPick } from './photo-pick.tsx'
import { sendPhotoOfOrder } from './photo-sending.ts'
import './order-photos.css'

/** A word about it, and photos with it, for whoever sees it. The photos go first: a comment is there with all of them or not at all. */
export function OrderComment({ order: { OrderID } }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  const mayEdit = useMayEdit()
  const [text, setText] = useState('')
  const [photos, setPhotos] = useState<readonly ReadyPhoto[]>([])
  const [id, setId] = useState(newId)
  const [busy, setBusy] = useState(false)
  if (!mayEdit) return null
  const add = async (files: readonly File[]) => {
    const read = await Promise.all(files.slice(0, maxCommentPhotos - photos.length).map(readyPhoto))
    if (read.includes(null)) toast('error', t('photoUnreadable'))
    setPhotos((before) => [...before, ...read.flatMap((photo) => (photo && !before.some(isSame(photo)) ? photo : []))])
  }
  const sendAll = async () => {
    for (const photo of photos) await sendPhotoOfOrder(photo, { orderId: OrderID, role: 'other', actId: id })
    const Photos = photos.map(({ hash }) => hash)
    const body = { ActID: id, Text: text.trim(), ...(Photos.length > 0 && { Photos }) }
    return change(commentWorkOrder, { params: { OrderID }, body })
  }
  const send = async () => {
    if (busy || text.trim() === '') return
    setBusy(true)
    const sent = await callWithToast(sendAll())
    setBusy(false)
    if (!sent) return
    setText('')
    setPhotos([])
    setId(newId())
  }
  return (
    <section className="part order-comment" aria-label={t('comment')}>
      <TextArea label={t('comment')} value={text} onChange={setText} maxLength={1_000} rows={2} />
      <div className="comment-photos">
        <button type="button" className="btn" aria-busy={busy} disabled={text.trim() === ''} onClick={() => void send()}>
          {t('sendComment')}
        </button>
        <PhotoPick
          label={t('addPhotoToComment')}
          disabled={busy || photos.length >= maxCommentPhotos}
          onFiles={(files) => void add(files)}
        />
        {photos.length > 0 && (
          <>
            <span>{t('photoCount', { count: photos.length })}</span>
            <button type="button" className="btn quiet" disabled={busy} onClick={() => setPhotos([])}>
              {t('giveUpPhotos')}
            </button>
          </>
        )}
      </div>
    </section>
  )
}

const isSame =
  ({ hash }: ReadyPhoto) =>
  (other: ReadyPhoto): boolean =>
    other.hash === hash
