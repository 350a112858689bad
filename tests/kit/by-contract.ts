import type { Client } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import type { ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'

const schemas = new Ajv({ allErrors: true, strict: false, validateFormats: false })
const enough = 20

/** The same caller, to whom an answer that its contract does not promise is an error: a field that is missing, of another kind, or not named. */
export function byContract(client: Client): Client {
  return {
    baseUrl: client.baseUrl,
    async call(target, ...request) {
      const reply = await client.call(target, ...request)
      const wrong = wrongIn(target, reply)
      if (wrong.length > 0) throw new Error(`${target.name} does not answer by its contract: ${wrong.join('; ')}`)
      return reply
    },
  }
}

function wrongIn({ data, datas, about }: Call, reply: unknown): string[] {
  if (!datas) return data ? wrongBy(data, reply, 'Data') : []
  const list = reply as { items: readonly unknown[]; about?: unknown }
  return [
    ...list.items.slice(0, enough).flatMap((item, index) => wrongBy(datas, item, `Datas/${index}`)),
    ...(about ? wrongBy(about, list.about, 'About') : []),
  ]
}

function wrongBy(schema: NonNullable<Call['data']>, value: unknown, place: string): string[] {
  const check: ValidateFunction = schemas.compile(schema)
  if (check(value)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${place}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
