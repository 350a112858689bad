import { md5Hex } from '@linewarden/client'
import { grantControl } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { openAccountDialog } from '../../app/session/account-dialog.ts'
import { useSession } from '../../app/session/session.ts'
import { TextField } from '../../ui/fields.tsx'

/** The control password of whoever has set one: asked for in the dialog of an order, and exchanged for a grant of this one order. */
export interface ControlGrant {
  /** The field; for whoever has no control password, how to set one. */
  readonly field: ReactNode
  /** True when there is a password to enter. */
  readonly needed: boolean
  /** True when it can be asked for. When not, the field says what is missing. */
  readonly check: () => boolean
  /** What the order's body carries. Rejects with the server's refusal of the password. */
  readonly take: (operation: string) => Promise<{ readonly Grant?: string }>
  /** After a refusal: the password is not left standing in the form. */
  readonly forget: () => void
}

/** @param autoFocus - true where a person begins with it */
export function useControlGrant({ autoFocus = false }: { autoFocus?: boolean } = {}): ControlGrant {
  const { t } = useTranslation('control')
  const needed = useSession(({ user }) => user?.ControlPwd === true)
  const [password, setPassword] = useState('')
  const [checked, setChecked] = useState(false)
  const missing = needed && password === ''
  return {
    needed,
    field: needed ? (
      <TextField
        label={t('controlPassword')}
        type="password"
        value={password}
        onChange={setPassword}
        autoFocus={autoFocus}
        required
        error={checked && missing ? t('controlPasswordEmpty') : null}
      />
    ) : (
      <p className="no-control">
        {t('noControlPassword')}
        <button type="button" className="btn small" onClick={() => openAccountDialog('control')}>
          {t('setControlPassword')}
        </button>
      </p>
    ),
    check: () => {
      setChecked(true)
      return !missing
    },
    take: async (operation) => {
      if (!needed) return {}
      const { Grant } = await api.call(grantControl, { body: { Password: md5Hex(password), Operation: operation } })
      return { Grant }
    },
    forget: () => {
      setPassword('')
      setChecked(false)
    },
  }
}
