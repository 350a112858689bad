import type { OrderPhoto } from '@linewarden/contract'
import { takeBackOrderPhoto } from '@linewarden/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PhotoImage } from './photo-image.tsx'
import { usePhotoName } from './use-photo-name.ts'

/** One photo after the other, by buttons or arrow keys; one that should not be there is taken back here. */
export function PhotoViewer({
  orderId,
  photos,
  shown,
  onShow,
  onClose,
}: {
  orderId: number
  photos: readonly OrderPhoto[]
  shown: OrderPhoto
  onShow: (photo: OrderPhoto) => void
  onClose: () => void
}) {
  const { t } = useTranslation('workOrders')
  const nameOf = usePhotoName()
  const [asked, setAsked] = useState(false)
  const at = photos.findIndex(({ Hash, StepID }) => Hash === shown.Hash && StepID === shown.StepID)
  const [before, after] = [photos[at - 1], photos[at + 1]]
  // Wherever the focus stands in it.
  useEffect(() => {
    if (asked) return
    const turn = ({ key }: KeyboardEvent) => {
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
      if (next) onShow(next)
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [asked, before, after, onShow])
  const takeBack = async () => {
    try {
      await change(takeBackOrderPhoto, { params: { OrderID: orderId, Hash: shown.Hash } })
      toast('info', t('photoTakenBack'))
      onClose()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <Dialog label={t('photos')} wide onClose={onClose}>
      <h2 aria-live="polite">{nameOf(shown)}</h2>
      <div className="photo-view">
        <PhotoImage key={shown.Hash} orderId={orderId} photo={shown} mayRetry />
      </div>
      <CloseFoot onClose={onClose}>
        <span className="photo-at">{t('photoAt', { at: at + 1, count: photos.length })}</span>
        {shown.MayTakeBack && (
          <button type="button" className="btn" onClick={() => setAsked(true)}>
            {t('takeBackPhoto')}
          </button>
        )}
        <button type="button" className="btn" disabled={!before} onClick={() => before && onShow(before)}>
          <Icon name="left" />
          {t('photoBefore')}
        </button>
        <button type="button" className="btn" disabled={!after} onClick={() => after && onShow(after)}>
          {t('photoAfter')}
          <Icon name="right" />
        </button>
      </CloseFoot>
      {asked && (
        <ConfirmDialog
          title={t('takeBackPhoto')}
          what={t('takeBackPhotoText')}
          submit={t('takeBackPhoto')}
          onConfirm={takeBack}
          onClose={() => setAsked(false)}
        />
      )}
    </Dialog>
  )
}
