import type { Linkage, Request, switchLinkage as SwitchCall } from '@linewarden/contract'
import { deleteLinkage, linkageOperation, switchLinkage, updateLinkage } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { useControlGrant } from '../../control/control-grant.tsx'
import { daysTried, mayClose, shadowDays } from './condition-facts.ts'
import { formOfLinkage } from './form-of.ts'

export type Act = Request<typeof SwitchCall>['body']['Mode'] | 'remove' | 'takeOver'

/** What lets it act on equipment from now on asks for the control password: nobody is asked when it fires. */
export const asksPassword: readonly Act[] = ['enable', 'live', 'clear', 'takeOver']

/** Asks before a linkage is switched, let act, taken over or removed. */
export function SwitchDialog({
  linkage,
  act,
  onClose,
  onDone,
}: {
  linkage: Linkage
  act: Act
  onClose: () => void
  onDone?: () => void
}) {
  const { t } = useTranslation('linkages')
  // Of the linkage as it was when it was pressed: it is read again behind the dialog.
  const [kept] = useState(linkage)
  const { LinkageID, Version, Name } = kept
  const isAsked = asksPassword.includes(act)
  const control = useControlGrant({ autoFocus: isAsked })
  const save = async () => {
    if (isAsked && !control.check()) return ''
    try {
      if (act === 'remove') await change(deleteLinkage, { body: { LinkageID, Version } })
      else {
        const intent = { LinkageID, ...formOfLinkage(kept), ...(act === 'live' && { Mode: act }) }
        const grant = isAsked ? await control.take(linkageOperation(intent)) : {}
        if (act === 'takeOver') await change(updateLinkage, { body: { LinkageID, Version, ...formOfLinkage(kept), ...grant } })
        else await change(switchLinkage, { body: { LinkageID, Version, Mode: act, ...grant } })
      }
      onDone?.()
      return null
    } catch (error) {
      control.forget()
      return messageOf(error)
    }
  }
  const days = daysTried(kept, serverNow()) ?? 0
  return (
    <FormDialog title={t(`ask.${act}.title`, { name: Name })} submit={t(wordOf[act])} onSubmit={save} onClose={onClose}>
      <p>{t(`ask.${act}.what`)}</p>
      {act === 'live' && mayClose(kept) && (
        <p>{days < shadowDays ? t('triedToo', { count: shadowDays, days }) : t('triedDone', { days })}</p>
      )}
      {isAsked && control.field}
    </FormDialog>
  )
}

const wordOf = {
  enable: 'enable',
  disable: 'disable',
  live: 'toLive',
  shadow: 'toShadow',
  clear: 'clear',
  remove: 'remove',
  takeOver: 'takeOver',
} as const satisfies Record<Act, string>
