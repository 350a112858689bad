import type { WorkOrder } from '@linewarden/contract'
import { commentWorkOrder } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { useMayEdit } from '../../app/session/use-may.ts'
import { TextArea } from '../../ui/fields.tsx'

/** A word about it, for whoever sees it. */
export function OrderComment({ order }: { order: WorkOrder }) {
  const { t } = useTranslation('workOrders')
  const mayEdit = useMayEdit()
  const [text, setText] = useState('')
  const [id, setId] = useState(newId)
  const [busy, setBusy] = useState(false)
  if (!mayEdit) return null
  const send = async () => {
    if (busy || text.trim() === '') return
    setBusy(true)
    const body = { ActID: id, Text: text.trim() }
    const sent = await callWithToast(change(commentWorkOrder, { params: { OrderID: order.OrderID }, body }))
    setBusy(false)
    if (!sent) return
    setText('')
    setId(newId())
  }
  return (
    <section className="part order-comment" aria-label={t('comment')}>
      <TextArea label={t('comment')} value={text} onChange={setText} maxLength={1_000} rows={2} />
      <button type="button" className="btn" aria-busy={busy} disabled={text.trim() === ''} onClick={() => void send()}>
        {t('sendComment')}
      </button>
    </section>
  )
}
