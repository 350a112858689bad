import type { Problem } from '@linewarden/contract'
import { oneLine } from '@linewarden/contract'
import type { ErrorObject } from 'ajv'
import type { TSchema } from 'typebox'
import { isStorable, storableText } from '../lib/storable-text.ts'
import { readText } from './read-text.ts'
import { validating } from './validating.ts'

export type Validate = (value: unknown) => readonly Problem[]

const maxProblems = 20
/** Whoever names a field of a megabyte reads its beginning back, and the log keeps no more of it. */
const maxPath = 200

/** One schema, compiled once, for all parts that a call does not take. */
const nothing = { type: 'object', additionalProperties: false }

/**
 * A validator of one part of a request. Path and query are text on the wire: their numbers are read in place. Text that the database cannot
 * keep is refused in every field of every call.
 */
export function validatorOf(part: 'params' | 'query' | 'body', schema: TSchema | undefined): Validate {
  const check = validating.compile(schema ?? nothing)
  return (value) => {
    if (part !== 'body' && schema) readText(schema, value)
    return check(value)
      ? unstorableIn(part, value)
      : (check.errors ?? []).slice(0, maxProblems).map((error) => problemOf(part, error))
  }
}

const unstorable = { zh: '含有不能保存的字符', en: 'holds a character that cannot be stored' } as const

/** Zero bytes and halves of characters, in values and in names. */
function unstorableIn(part: string, given: unknown): readonly Problem[] {
  const problems: Problem[] = []
  const left: { path: string; value: unknown }[] = [{ path: part, value: given }]
  for (let next = left.pop(); next && problems.length < maxProblems; next = left.pop()) {
    const { path, value } = next
    if (typeof value === 'string' && !isStorable(value)) problems.push({ Path: path, Text: unstorable })
    if (typeof value !== 'object' || value === null) continue
    for (const [key, each] of Object.entries(value)) {
      const below = pathTo(`${path}.${key}`)
      if (!isStorable(key)) problems.push({ Path: below, Text: unstorable })
      left.push({ path: below, value: each })
    }
  }
  return problems
}

const pathTo = (path: string): string => storableText(path.slice(0, maxPath))

function problemOf(part: string, error: ErrorObject): Problem {
  const { keyword, params, instancePath } = error
  const extra =
    keyword === 'required' ? params.missingProperty : keyword === 'additionalProperties' ? params.additionalProperty : null
  const path = [part, ...instancePath.split('/').slice(1), ...(extra === null ? [] : [String(extra)])].join('.')
  return { Path: pathTo(path), Text: textOf(keyword, params) }
}

function textOf(keyword: string, params: Record<string, unknown>): Problem['Text'] {
  switch (keyword) {
    case 'required':
      return { zh: '缺少该项', en: 'is missing' }
    case 'additionalProperties':
      return { zh: '没有这一项，请去掉', en: 'is not known here; leave it out' }
    case 'type':
      return { zh: `类型应为 ${params.type}`, en: `must be of type ${params.type}` }
    case 'enum':
      return { zh: `只能是 ${list(params.allowedValues)}`, en: `must be one of ${list(params.allowedValues)}` }
    case 'pattern':
      if (params.pattern === '\\S') return { zh: '不能为空', en: 'must not be empty' }
      if (params.pattern === oneLine) return { zh: '不能为空，且须为一行文字', en: 'must not be empty, and is one line of text' }
      return { zh: `格式不正确，应符合 ${params.pattern}`, en: `must match ${params.pattern}` }
    case 'format':
      return { zh: `格式应为 ${params.format}`, en: `must be a ${params.format}` }
    case 'minimum':
      return { zh: `不能小于 ${params.limit}`, en: `must be at least ${params.limit}` }
    case 'maximum':
      return { zh: `不能大于 ${params.limit}`, en: `must be at most ${params.limit}` }
    case 'minLength':
      return { zh: `至少 ${params.limit} 个字符`, en: `must have at least ${params.limit} characters` }
    case 'maxLength':
      return { zh: `至多 ${params.limit} 个字符`, en: `must have at most ${params.limit} characters` }
    case 'minItems':
      return { zh: `至少 ${params.limit} 项`, en: `must have at least ${params.limit} entries` }
    case 'maxItems':
      return { zh: `至多 ${params.limit} 项`, en: `must have at most ${params.limit} entries` }
    case 'uniqueItems':
      return { zh: '有重复的项', en: 'must not hold the same entry twice' }
    default:
      return { zh: '无效', en: 'is not valid' }
  }
}

const list = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : '')
