import type { ReactNode } from 'react'
import { messageOf } from '../../../app/net/api.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'

/** Asks whether something of a timer is meant, and for the control password where it will fire by the rights of whoever says so. */
export function TimerActDialog({
  title,
  submit,
  isProved,
  act,
  onClose,
  children,
}: {
  title: string
  submit: string
  /** True: the control password is asked for, of whoever has set one. */
  isProved: boolean
  /** Does it; `grantOf` gives what the call for a timer carries. */
  act: (grantOf: (timerId: number) => Promise<{ readonly Grant?: string }>) => Promise<string | null>
  onClose: () => void
  children: ReactNode
}) {
  const control = useControlGrant({ autoFocus: true })
  const run = async () => {
    if (isProved && !control.check()) return ''
    try {
      return await act(async (timerId) => (isProved ? control.take(`automation:timer:${timerId}`) : {}))
    } catch (error) {
      control.forget()
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={title} submit={submit} onSubmit={run} onClose={onClose}>
      {children}
      {isProved && control.field}
    </FormDialog>
  )
}
