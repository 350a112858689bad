import { maxOrderPhotos, orderPhotoRoles } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Entry } from '../../../../app/offline/entry.ts'
import { useKept } from '../../../../app/offline/kept.ts'
import { Segments } from '../../../../ui/fields.tsx'
import type { PhotoBody } from '../acts.ts'
import { PhotoField } from '../photo-field.tsx'
import type { KeptOrder } from './kept-orders.ts'
import type { PhotoRole } from './order-acts.ts'
import { addPhoto } from './order-acts.ts'
import { orderThing } from './order-entries.ts'

/** Photos before and after: they lie on this phone at once. */
export function OrderPhotoField({ kept: { order, photos } }: { kept: KeptOrder }) {
  const { t } = useTranslation(['phoneOrders', 'workOrders'])
  const [role, setRole] = useState<PhotoRole>('before')
  const entries = useKept((all) => all.entries)
  const own = entries
    .filter((each): each is Entry<PhotoBody> => each.kind === 'photo' && each.thing === orderThing(order.OrderID))
    .filter(({ body }) => !photos.includes(body.Hash))
  const name = (of: PhotoRole) => t(`workOrders:photoRoles.${of}`)
  return (
    <section className="phone-arrive" aria-label={t('photos')}>
      <h3>{t('photos')}</h3>
      {photos.length > 0 && <small>{t('photosThere', { count: photos.length })}</small>}
      <Segments
        label={t('photoOf')}
        value={role}
        options={orderPhotoRoles.map((value) => ({ value, label: name(value) }))}
        onChange={setRole}
      />
      <PhotoField
        hashes={own.map(({ body }) => body.Hash)}
        isAsked={false}
        max={maxOrderPhotos - photos.length}
        onPhoto={(photo) => addPhoto(order.OrderID, photo, role, `${order.Number} · ${name(role)}`)}
      />
    </section>
  )
}
