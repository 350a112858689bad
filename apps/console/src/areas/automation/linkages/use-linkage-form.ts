import { CallError } from '@linewarden/client'
import type { LinkageForm } from '@linewarden/contract'
import { insertLinkage, linkageOperation, updateLinkage } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { queryClient } from '../../../app/net/query-client.ts'
import type { LineRef } from '../../../plant/equipment.ts'
import { language, localised } from '../../../ui/i18n.ts'
import type { LinkageValues } from './form-values.ts'
import { formOf } from './form-values.ts'
import type { LoopBox } from './loop-path.ts'
import { loopBoxes } from './loop-path.ts'

/** The stored linkage that is edited; null: it is new. */
export type Edited = { readonly LinkageID: number; readonly Version: number } | null

/** What the server refused: texts at their fields, one for the whole, and the loop that it would make. */
interface Refused {
  readonly fields: Readonly<Record<string, string>>
  readonly whole: string | null
  readonly loop: readonly LoopBox[]
}

const nothing: Refused = { fields: {}, whole: null, loop: [] }

/** The values of a form of a linkage, what is wrong with each, and how it is saved. */
export function useLinkageForm(initial: LinkageValues, lines: readonly LineRef[]) {
  const { t } = useTranslation('linkageForm')
  const [values, setValues] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Refused>(nothing)
  const placeOf = useMemo(() => {
    const places = new Map(
      lines.map(({ line, device }) => [String(line.LineID), { ControllerID: device.ControllerID, LineNo: line.LineNo }]),
    )
    return (lineId: string) => places.get(lineId) ?? null
  }, [lines])
  const { form, missing } = formOf(values, placeOf)
  const problemOf = (path: string): string | null => {
    const key = isChecked ? missing[path] : undefined
    return key ? t(key) : (refused.fields[path] ?? null)
  }
  return {
    values,
    form,
    problemOf,
    loop: refused.loop,
    whole: refused.whole,
    changed: values !== initial,
    count: isChecked ? Object.keys(missing).length : Object.keys(refused.fields).length,
    set: (changed: Partial<LinkageValues>) => {
      setValues((before) => ({ ...before, ...changed }))
      // What was refused is of what was sent: another form may be right.
      setRefused(nothing)
    },
    /** Shows everything that is missing; true when nothing is. */
    check: (): boolean => {
      setChecked(true)
      return form !== null
    },
    refuse: (error: unknown): void => setRefused(refusedBy(error)),
  }
}

export type LinkageFormState = ReturnType<typeof useLinkageForm>

/** Saves it with the grant for just this; answers its number. */
export async function saveLinkage(
  HouseID: number,
  edited: Edited,
  form: LinkageForm,
  take: (operation: string) => Promise<{ readonly Grant?: string }>,
): Promise<number> {
  const grant = await take(linkageOperation({ LinkageID: edited?.LinkageID ?? null, ...form }))
  const saved = edited
    ? await change(updateLinkage, { body: { ...edited, ...form, ...grant } })
    : await change(insertLinkage, { body: { HouseID, ...form, ...grant } })
  return saved.LinkageID
}

function refusedBy(error: unknown): Refused {
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') return { ...nothing, whole: messageOf(error) }
  // Somebody else was quicker: what is behind the form shows what they made of it, while the form keeps what was written here.
  if (error.message === 'changed meanwhile') void queryClient.invalidateQueries()
  const { Problems = [], Detail } = error.problem.failure
  const path = Detail?.path
  const loop = isText(path) ? loopBoxes(path, language() === 'EN' ? 'en' : 'zh') : []
  const fields = Problems.filter(({ Path }) => Path.startsWith('body.')).map(({ Path, Text }) => [
    Path.slice('body.'.length),
    localised(Text),
  ])
  // A name that is taken is refused as a whole, and stands at its field.
  const own = error.message === 'linkage exists' ? { Name: messageOf(error) } : Object.fromEntries(fields)
  return { fields: own, whole: Object.keys(own).length > 0 || loop.length > 0 ? null : messageOf(error), loop }
}

const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null && 'zh' in value && 'en' in value
