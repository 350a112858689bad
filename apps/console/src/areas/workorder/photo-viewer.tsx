import type { OrderPhoto } from '@linewarden/contract'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PhotoImage } from './photo-image.tsx'
import { usePhotoName } from './use-photo-name.ts'

/** One photo after the other, by buttons or arrow keys. */
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
  const at = photos.findIndex(({ Hash, StepID }) => Hash === shown.Hash && StepID === shown.StepID)
  const [before, after] = [photos[at - 1], photos[at + 1]]
  // Wherever the focus stands in it.
  useEffect(() => {
    const turn = ({ key }: KeyboardEvent) => {
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
      if (next) onShow(next)
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [before, after, onShow])
  return (
    <Dialog label={t('photos')} wide onClose={onClose}>
      <h2 aria-live="polite">{nameOf(shown)}</h2>
      <div className="photo-view">
        <PhotoImage key={shown.Hash} orderId={orderId} photo={shown} mayRetry />
      </div>
      <CloseFoot onClose={onClose}>
        <span className="photo-at">{t('photoAt', { at: at + 1, count: photos.length })}</span>
        <button type="button" className="btn" disabled={!before} onClick={() => before && onShow(before)}>
          <Icon name="left" />
          {t('photoBefore')}
        </button>
        <button type="button" className="btn" disabled={!after} onClick={() => after && onShow(after)}>
          {t('photoAfter')}
          <Icon name="right" />
        </button>
      </CloseFoot>
    </Dialog>
  )
}
