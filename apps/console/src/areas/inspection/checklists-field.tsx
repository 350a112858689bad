import type { InspectionChecklist, InspectionItem, OwnItem } from '@linewarden/contract'
import { inspectionChecklists } from '@linewarden/contract'
import { maxOwnItems } from '@linewarden/rules/inspection'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '../../app/net/new-id.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { TriCheck } from '../../ui/tri-check.tsx'
import { rangeText } from './item-words.ts'

/** What is checked at the stops: the lists that come with the platform, less what is left out, and the plan's own items. */
export function ChecklistsField({
  lists,
  leftOut,
  ownItems,
  onLeftOut,
  onOwnItems,
}: {
  /** Which lists the route needs. */
  lists: readonly string[]
  leftOut: readonly string[]
  ownItems: readonly OwnItem[]
  onLeftOut: (leftOut: readonly string[]) => void
  onOwnItems: (items: readonly OwnItem[]) => void
}) {
  const { t } = useTranslation('inspection')
  const query = useCall(inspectionChecklists, {}, { staleTime: Number.POSITIVE_INFINITY })
  const known = (query.data?.items ?? []).filter(({ List }) => lists.includes(List))
  if (lists.length === 0) return null
  return (
    <section className="plan-lists" aria-label={t('checklists')}>
      <h3>
        {t('checklists')} <small className="mute">{t('checklistsNote')}</small>
      </h3>
      <Unloaded query={query} />
      {known.map((list) => (
        <OneList
          key={list.List}
          list={list}
          leftOut={leftOut}
          own={ownItems.filter(({ List }) => List === list.List)}
          onLeftOut={onLeftOut}
          onOwn={(own) => onOwnItems([...ownItems.filter(({ List }) => List !== list.List), ...own])}
          mayAdd={ownItems.length < maxOwnItems}
        />
      ))}
    </section>
  )
}

function OneList({
  list,
  leftOut,
  own,
  mayAdd,
  onLeftOut,
  onOwn,
}: {
  list: InspectionChecklist
  leftOut: readonly string[]
  own: readonly OwnItem[]
  mayAdd: boolean
  onLeftOut: (leftOut: readonly string[]) => void
  onOwn: (own: readonly OwnItem[]) => void
}) {
  const { t } = useTranslation('inspection')
  const [isAdding, setAdding] = useState(false)
  const asked = list.Items.filter(({ ItemID }) => !leftOut.includes(ItemID)).length + own.length
  const set = (item: InspectionItem, isAsked: boolean) =>
    onLeftOut(isAsked ? leftOut.filter((each) => each !== item.ItemID) : [...leftOut, item.ItemID])
  return (
    <details className="plan-list-items" open={own.length > 0 || undefined}>
      <summary>
        <b>{localised(list.Name)}</b> <small className="mute">{t('itemCount', { count: asked })}</small>
      </summary>
      {list.Items.map((item) => (
        <TriCheck key={item.ItemID} chosen={leftOut.includes(item.ItemID) ? 'none' : 'all'} onChange={(all) => set(item, all)}>
          {localised(item.Text)}{' '}
          <small className="mute">
            {[t(`itemKinds.${item.Kind}`), rangeText(item), localised(item.Source)].filter((part) => part !== '').join(' · ')}
          </small>
        </TriCheck>
      ))}
      {own.map((item) => (
        <p key={item.ItemID} className="own-item">
          <span>
            {item.Text}{' '}
            <small className="mute">
              {[t('ownItem'), t(`itemKinds.${item.Kind}`), rangeText(item)].filter(Boolean).join(' · ')}
            </small>
          </span>
          <button
            type="button"
            className="btn small quiet"
            aria-label={t('takeOut', { name: item.Text })}
            onClick={() => onOwn(own.filter(({ ItemID }) => ItemID !== item.ItemID))}
          >
            <Icon name="close" />
          </button>
        </p>
      ))}
      {isAdding ? (
        <OwnItemForm
          list={list.List}
          onAdd={(item) => {
            onOwn([...own, item])
            setAdding(false)
          }}
          onCancel={() => setAdding(false)}
        />
      ) : (
        mayAdd && (
          <button type="button" className="btn small" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {t('addItem')}
          </button>
        )
      )}
    </details>
  )
}

const ownKinds = ['yesNo', 'number', 'photo'] as const

function OwnItemForm({ list, onAdd, onCancel }: { list: string; onAdd: (item: OwnItem) => void; onCancel: () => void }) {
  const { t } = useTranslation(['inspection', 'app'])
  const [values, setValues] = useState({ Text: '', Kind: 'yesNo' as (typeof ownKinds)[number], Min: '', Max: '', Unit: '' })
  const [asked, setAsked] = useState(false)
  const set = (more: Partial<typeof values>) => setValues({ ...values, ...more })
  const bound = (text: string): number | null => (text.trim() === '' ? null : Number(text.replace(',', '.')))
  const [min, max] = [bound(values.Min), bound(values.Max)]
  const isWrong = Number.isNaN(min) || Number.isNaN(max) || (min !== null && max !== null && min > max)
  const add = () => {
    setAsked(true)
    if (values.Text.trim() === '' || (values.Kind === 'number' && isWrong)) return
    const isNumber = values.Kind === 'number'
    onAdd({
      ...{ ItemID: `own.${newId()}`, List: list, Text: values.Text.trim(), Kind: values.Kind, Choices: [] },
      ...{ Min: isNumber ? min : null, Max: isNumber ? max : null, Unit: isNumber ? values.Unit.trim() : '' },
    })
  }
  return (
    <div className="own-item-form">
      <TextField
        label={t('itemText')}
        maxLength={200}
        required
        autoFocus
        value={values.Text}
        onChange={(Text) => set({ Text })}
        error={asked && values.Text.trim() === '' ? t('itemTextMissing') : null}
      />
      <SelectField
        label={t('itemKind')}
        value={values.Kind}
        options={ownKinds.map((value) => ({ value, label: t(`itemKinds.${value}`) }))}
        onChange={(value) => set({ Kind: ownKinds.find((each) => each === value) ?? 'yesNo' })}
      />
      {values.Kind === 'number' && (
        <>
          <TextField
            label={t('min')}
            inputMode="decimal"
            maxLength={12}
            value={values.Min}
            onChange={(Min) => set({ Min })}
            error={asked && isWrong ? t('rangeWrong') : null}
          />
          <TextField label={t('max')} inputMode="decimal" maxLength={12} value={values.Max} onChange={(Max) => set({ Max })} />
          <TextField label={t('unit')} maxLength={16} value={values.Unit} onChange={(Unit) => set({ Unit })} />
        </>
      )}
      <div className="own-item-acts">
        <button type="button" className="btn small" onClick={onCancel}>
          {t('app:cancel')}
        </button>
        <button type="button" className="btn small primary" onClick={add}>
          {t('addItem')}
        </button>
      </div>
    </div>
  )
}
