import type { BillCheck, Project, Statement, StatementBill } from '@linewarden/contract'
import { getStatement, getStatementBill, moneyText, quantityText, setStatementBill } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/page.tsx'
import { nameOf, unitOf } from '../energy/tariff-values.ts'
import { BillPaste } from './bill-paste.tsx'
import type { BillValues, TypedRow } from './bill-values.ts'
import { billOf, billStart, checkOf, wrongRows } from './bill-values.ts'
import { signed } from './statement-values.ts'
import './bill-check.css'

/** The utility's bill beside an issued statement: typed or pasted, and compared row by row while it is typed. */
export function BillCheckPage({ house, statementId, onBack }: { house: Project; statementId: number; onBack: () => void }) {
  const { t } = useTranslation(['billCheck', 'statements'])
  const query = { HouseID: house.HouseID, StatementID: statementId }
  const statement = useCall(getStatement, { query })
  const entered = useCall(getStatementBill, { query })
  const isHere = statement.data !== undefined && entered.data !== undefined
  return (
    <Page
      title={t('title')}
      crumb={statement.data ? `${statement.data.Number} · ${statement.data.Supply}` : house.Name}
      tools={
        <button type="button" className="btn" onClick={onBack}>
          {t('backToSheet')}
        </button>
      }
    >
      <Unloaded query={statement.data ? entered : statement} />
      {isHere && <Check key={entered.data?.Version ?? 0} {...{ house, statement: statement.data, entered: entered.data }} />}
    </Page>
  )
}

interface Of {
  readonly house: Project
  readonly statement: Statement
  readonly entered: StatementBill | null
}

function Check({ house, statement, entered }: Of) {
  const { t } = useTranslation(['billCheck', 'statements'])
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const [values, setValues] = useState(() => billStart(statement, entered))
  const [isPasting, setPasting] = useState(false)
  const set = (more: Partial<BillValues>) => setValues((before) => ({ ...before, ...more }))
  const bill = billOf(values)
  const check = checkOf(statement, values)
  const save = async (Bill: typeof bill) => {
    const body = { HouseID: house.HouseID, StatementID: statement.StatementID ?? 0, Version: entered?.Version ?? 0, Bill }
    try {
      await change(setStatementBill, { body })
      toast('info', t(Bill ? 'billSaved' : 'billRemoved'))
    } catch (error) {
      toast('refusal', messageOf(error))
    }
  }
  return (
    <div className="bill-check">
      <p className="mute">{t('billHint', { number: statement.Number ?? '' })}</p>
      <div className="bill-head">
        <TextField
          label={t('billNumber')}
          maxLength={60}
          required
          readOnly={!may}
          value={values.Number}
          onChange={(value) => set({ Number: value })}
        />
        <TextField
          label={t('billFrom')}
          maxLength={10}
          required
          readOnly={!may}
          value={values.From}
          onChange={(From) => set({ From })}
        />
        <TextField label={t('billTo')} maxLength={10} required readOnly={!may} value={values.To} onChange={(To) => set({ To })} />
        <TextField
          label={t('statements:powerFactor')}
          inputMode="decimal"
          maxLength={4}
          readOnly={!may}
          value={values.Cos}
          onChange={(Cos) => set({ Cos })}
        />
        <TextField
          label={t('billTolerance')}
          unit="%"
          inputMode="decimal"
          maxLength={5}
          readOnly={!may}
          value={values.Tolerance}
          onChange={(Tolerance) => set({ Tolerance })}
        />
      </div>
      <BillTable
        {...{ statement, values, check }}
        onEdit={may ? (Rows) => set({ Rows }) : null}
        onTotal={(Total) => set({ Total })}
      />
      {check && !check.IsSumRight && (
        <p className="bill-wrong" role="status">
          {t('billSumWrong')}
        </p>
      )}
      <div className="bill-tools">
        <ReasonedButton className="btn" reason={may ? null : t('statements:onlyReads')} onClick={() => setPasting(true)}>
          {t('billPaste')}
        </ReasonedButton>
        {entered && (
          <ReasonedButton className="btn" reason={may ? null : t('statements:onlyReads')} onClick={() => void save(null)}>
            {t('billRemove')}
          </ReasonedButton>
        )}
        <ReasonedButton
          className="btn primary"
          reason={may ? (bill ? null : t('billNotYet')) : t('statements:onlyReads')}
          onClick={() => void save(bill)}
        >
          {t('billSave')}
        </ReasonedButton>
      </div>
      {isPasting && <BillPaste values={values} onClose={() => setPasting(false)} onDone={setValues} />}
    </div>
  )
}

interface TableProps {
  readonly statement: Statement
  readonly values: BillValues
  readonly check: BillCheck | null
  /** Null: it is only read. */
  readonly onEdit: ((rows: readonly TypedRow[]) => void) | null
  readonly onTotal: (total: string) => void
}

function BillTable({ statement, values, check, onEdit, onTotal }: TableProps) {
  const { t, i18n } = useTranslation(['billCheck', 'statements'])
  const unit = statement.Currency ? unitOf(statement.Currency, i18n.language) : ''
  const wrong = wrongRows(values)
  const edit = (place: number, more: Partial<TypedRow>) =>
    onEdit?.(values.Rows.map((row, at) => (at === place ? { ...row, ...more } : row)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="bill-scroll" tabIndex={0}>
      <table className="table bill-rows" aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('statements:name')}</th>
            <th scope="col" className="num">
              {t('ourQuantity')}
            </th>
            <th scope="col" className="num">
              {t('ourAmount', { unit })}
            </th>
            <th scope="col" className="num">
              {t('billQuantity')}
            </th>
            <th scope="col" className="num">
              {t('statements:price')}
            </th>
            <th scope="col" className="num">
              {t('billAmount', { unit })}
            </th>
            <th scope="col" className="num">
              {t('moreQuantity')}
            </th>
            <th scope="col" className="num">
              {t('moreAmount', { unit })}
            </th>
            <th scope="col">{t('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {values.Rows.map((row, place) => (
            <BillRow
              key={`${row.key} ${row.band ?? ''}`}
              {...{ statement, row, isWrong: wrong.has(place) }}
              checked={check?.Rows.find(({ Key, Band }) => Key === row.key && (Band === row.band || Band === null)) ?? null}
              onEdit={onEdit && ((more) => edit(place, more))}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('statements:sum')}
            </th>
            <td className="num">{moneyText(statement.Total)}</td>
            <td colSpan={2} />
            <td className="num">
              <Figure label={t('billTotal')} value={values.Total} onChange={onEdit && onTotal} />
            </td>
            <td />
            <td className="num">{check?.TotalMore == null ? '–' : signed(moneyText(check.TotalMore))}</td>
            <td>{check && check.IsTotalWithin !== null && t(check.IsTotalWithin ? 'billWithin' : 'billBeyond')}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

interface RowProps {
  readonly statement: Statement
  readonly row: TypedRow
  readonly checked: BillCheck['Rows'][number] | null
  readonly isWrong: boolean
  readonly onEdit: ((more: Partial<TypedRow>) => void) | null
}

function BillRow({ statement, row, checked, isWrong, onEdit }: RowProps) {
  const { t } = useTranslation(['billCheck', 'statements'])
  const own = statement.Parts.flatMap(({ Rows }) => Rows).find(({ Key, Band }) => Key === row.key && Band === row.band)
  const charge = row.key === 'powerFactor' ? t('statements:powerFactorRow') : nameOf(row.key)
  const name = row.band === null ? charge : `${charge} · ${nameOf(row.band)}`
  const ours = checked?.Ours ?? (own ? { Quantity: own.Quantity, Amount: own.Amount } : null)
  const isBeyond = checked !== null && (checked.IsWithin === false || checked.Ours === null || checked.Theirs === null)
  const more = (text: string | null | undefined, shown: (text: string | null) => string) =>
    text == null ? '–' : text === '0' ? '0' : signed(shown(text))
  const why = checked?.Reasons.map((reason) => t(`reasons.${reason}`)).join(t('statements:and'))
  return (
    <tr className={isBeyond ? 'bill-beyond' : undefined}>
      <th scope="row">{name}</th>
      <td className="num">{ours ? quantityText(ours.Quantity) : '–'}</td>
      <td className="num">{ours ? moneyText(ours.Amount) : '–'}</td>
      <td className="num">
        <Figure
          label={t('quantityOf', { name })}
          value={row.quantity}
          onChange={onEdit && ((quantity) => onEdit({ quantity }))}
        />
      </td>
      <td className="num">
        <Figure label={t('priceOf', { name })} value={row.price} onChange={onEdit && ((price) => onEdit({ price }))} />
      </td>
      <td className="num">
        <Figure
          label={t('amountOf', { name })}
          value={row.amount}
          isWrong={isWrong}
          onChange={onEdit && ((amount) => onEdit({ amount }))}
        />
      </td>
      <td className="num">{more(checked?.QuantityMore, quantityText)}</td>
      <td className="num">{more(checked?.AmountMore, moneyText)}</td>
      <td>{isWrong ? t('billRowWrong') : checked && why === '' ? t('billSame') : why}</td>
    </tr>
  )
}

function Figure(props: { label: string; value: string; isWrong?: boolean; onChange: ((value: string) => void) | null }) {
  const { label, value, isWrong = false, onChange } = props
  if (!onChange) return value === '' ? '–' : moneyText(value)
  return (
    <input
      className="bill-figure"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      inputMode="decimal"
      maxLength={24}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
