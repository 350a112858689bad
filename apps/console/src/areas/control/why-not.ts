import type { Permit } from '@linewarden/contract'
import i18next from 'i18next'
import { localised } from '../../ui/i18n.ts'

/** Why an operation cannot be ordered now, all of it; null when it can. `done`: what is said when there is nothing to do. */
export function whyNot(
  permit: Pick<Permit, 'MayClose' | 'Done' | 'Conditions'> | null | undefined,
  { may, action, done = '' }: { readonly may: boolean; readonly action: string; readonly done?: string },
): string | null {
  if (!may) return i18next.t('control:noPermission')
  if (!permit) return i18next.t('control:permitsUnknown', { action })
  if (permit.Done) return done
  if (permit.MayClose) return null
  return permit.Conditions.flatMap(({ Met, What, Why }) => (Met ? [] : [localised(Why ?? What)])).join(i18next.t('app:semicolon'))
}
