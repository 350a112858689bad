import type { OperationImpact } from '@linewarden/contract'
import { operationImpact } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { figure } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'

/** What an order moves in all, and the number of lines that is typed where the server asks for it. */
export interface Confirmation {
  /** The load, and what hangs below. */
  readonly note: ReactNode
  /** Null where nothing is to be typed. */
  readonly field: ReactNode
  /** True when it can be ordered. When not, the field says what is missing. */
  readonly check: () => boolean
  /** What the order's body carries. */
  readonly body: { readonly Confirmed?: number }
}

/** @param action - null: nothing is chosen yet */
export function useConfirmation(lines: readonly LineRef[], action: ActionKey | null): Confirmation {
  const { t } = useTranslation('control')
  const Lines = lines.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo }))
  const moves = action !== null && action !== 'silence' && lines.length > 0
  const { data } = useCall(
    operationImpact,
    { body: { Action: action ?? 'trip', Lines } },
    { enabled: moves, refetchInterval: 5_000, placeholderData: keepPreviousData },
  )
  const [typed, setTyped] = useState('')
  const [checked, setChecked] = useState(false)
  const impact = moves ? data : undefined
  // Of a choice that was changed just now the former answer is shown, and counts no more.
  const count = impact?.Lines === lines.length ? impact.Confirm : null
  const wrong = count !== null && typed.trim() !== String(count)
  return {
    note: impact && action && <ImpactNote impact={impact} energises={action === 'close'} />,
    field: count !== null && (
      <TextField
        label={t('confirmCount', { count })}
        inputMode="numeric"
        maxLength={7}
        value={typed}
        onChange={setTyped}
        required
        error={checked && wrong ? t('confirmWrong', { count }) : null}
      />
    ),
    check: () => {
      setChecked(true)
      return !wrong
    },
    body: count === null ? {} : { Confirmed: count },
  }
}

/** What an order moves: the load, and what is registered below its lines. */
export function ImpactNote({ impact, energises }: { impact: OperationImpact; energises: boolean }) {
  const { t } = useTranslation('control')
  const { Fed, Feeders, LoadKw, RatedKw, UnknownLoads } = impact
  const known = energises ? RatedKw : LoadKw
  return (
    <>
      {Fed > 0 && (
        <p className="caution">
          <Mark kind="warning" />
          {t(energises ? 'fedClose' : 'fedTrip', { feeders: Feeders, count: Fed })}
        </p>
      )}
      <p className="load">
        {known === null
          ? t(energises ? 'ratedUnknown' : 'loadUnknown')
          : t(energises ? 'ratedKw' : 'loadKw', { kw: figure(known, 1) })}
        {!energises && LoadKw !== null && UnknownLoads > 0 && t('loadUnknownOf', { count: UnknownLoads })}
      </p>
    </>
  )
}
