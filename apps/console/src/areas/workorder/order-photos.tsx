import type { OrderPhoto, WorkOrder } from '@linewarden/contract'
import { maxOrderPhotos, orderPhotoRoles } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useMayEdit } from '../../app/session/use-may.ts'
import { clockMinute } from '../../ui/format.ts'
import { PhotoImage } from './photo-image.tsx'
import { PhotoPick } from './photo-pick.tsx'
import { UnsentList } from './unsent-list.tsx'
import { addPhotos, useUnsentPhotos } from './unsent-photos.ts'
import { usePhotoName } from './use-photo-name.ts'
import './order-photos.css'

/** So many of a kind are fetched at once: on a weak link the others come when somebody looks at them. */
const shownOfRole = 2

/** Photos of an order: before and after side by side, and more from here, by camera or file. */
export function OrderPhotos({
  order: { OrderID },
  photos,
  onOpen,
}: {
  order: WorkOrder
  photos: readonly OrderPhoto[]
  onOpen: (photo: OrderPhoto) => void
}) {
  const { t } = useTranslation('workOrders')
  const mayEdit = useMayEdit()
  const unsent = useUnsentPhotos(OrderID)
  const own = photos.filter(({ StepID }) => StepID === null)
  const left = maxOrderPhotos - own.length - unsent.length
  if (own.length === 0 && !mayEdit) return null
  return (
    <section className="part order-photos" aria-label={t('photos')}>
      <h3>
        {t('photos')} <small>{own.length === 0 ? t('noPhotos') : t('photoCount', { count: own.length })}</small>
      </h3>
      <div className="photo-columns">
        {orderPhotoRoles.map((role) => (
          <RoleColumn key={role} orderId={OrderID} photos={own.filter(({ Role }) => Role === role)} onOpen={onOpen} />
        ))}
      </div>
      <UnsentList photos={unsent} />
      {mayEdit && (
        <div className="photo-adds">
          {orderPhotoRoles.map((role) => (
            <PhotoPick
              key={role}
              label={t(`addPhoto.${role}`)}
              disabled={left <= 0}
              onFiles={(files) => addPhotos(OrderID, role, files.slice(0, left))}
            />
          ))}
          {left <= 0 && <small>{t('photosEnough', { count: maxOrderPhotos })}</small>}
        </div>
      )}
    </section>
  )
}

function RoleColumn({
  orderId,
  photos,
  onOpen,
}: {
  orderId: number
  photos: readonly OrderPhoto[]
  onOpen: (photo: OrderPhoto) => void
}) {
  const { t } = useTranslation('workOrders')
  const nameOf = usePhotoName()
  const [, , next] = photos
  if (photos.length === 0) return null
  return (
    <div>
      {photos.slice(0, shownOfRole).map((photo) => (
        <figure key={photo.Hash} className="order-photo">
          <button type="button" aria-label={t('openPhoto', { photo: nameOf(photo) })} onClick={() => onOpen(photo)}>
            <PhotoImage orderId={orderId} photo={photo} />
          </button>
          <figcaption>
            <b>{t(`photoRoles.${photo.Role}`)}</b>
            <span>{photo.Actor}</span>
            <time dateTime={new Date(photo.TakenAt ?? photo.SentAt).toISOString()}>
              {clockMinute(photo.TakenAt ?? photo.SentAt)}
            </time>
          </figcaption>
        </figure>
      ))}
      {next && (
        <button type="button" className="btn small" onClick={() => onOpen(next)}>
          {t('morePhotos', { count: photos.length - shownOfRole })}
        </button>
      )}
    </div>
  )
}
