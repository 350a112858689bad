import type { OrderPhoto } from '@linewarden/contract'
import { getOrderPhoto } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { usePhotoName } from './use-photo-name.ts'

/** A photo as it is. A page shows pictures of its own origin or such as stand in it, and these are fetched with a signature. */
export function PhotoImage({
  orderId,
  photo,
  mayRetry = false,
}: {
  orderId: number
  photo: OrderPhoto
  /** Where it stands by itself: in a button there is no room for another. */
  mayRetry?: boolean
}) {
  const { t } = useTranslation('workOrders')
  const nameOf = usePhotoName()
  const { Hash, Width, Height } = photo
  // What is called by a hash is never another.
  const query = useCall(
    getOrderPhoto,
    { params: { OrderID: orderId, Hash } },
    { select: dataUrlOf, staleTime: Number.POSITIVE_INFINITY },
  )
  if (query.data === undefined)
    return (
      <span className="photo-place">
        {mayRetry ? <Unloaded query={query} /> : t(query.isPending ? 'photoLoading' : 'photoFailed')}
      </span>
    )
  return <img src={query.data} width={Width} height={Height} alt={nameOf(photo)} />
}

function dataUrlOf({ type, bytes }: { readonly type: string; readonly bytes: Uint8Array }): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return `data:${type};base64,${btoa(text)}`
}
