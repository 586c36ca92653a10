import { useState } from 'react'
import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { FormContext, type FormShared, useForm } from './form-context.js'
import { extrasOf, freshKey, moved, pointerTo, renamed, withItem, withKey, without } from './form-edit.js'
import { Group, type NestedProps, Unset } from './form-frame.js'
import {
  blankOf,
  branchesOf,
  branchFor,
  carries,
  entryOf,
  type FormMember,
  type FormNode,
  isObject,
  itemBlank,
  itemOf,
  membersOf,
  nodeOf,
} from './form-node.js'
import { JsonField } from './json-field.js'
import { ScalarField } from './scalar-field.js'

export interface SchemaFormProps extends Omit<FormShared, 'root'> {
  readonly schema: JsonObject
  readonly value: JsonObject
  onChange(value: JsonObject): void
}

/** A form of an object schema, nested as deep as it is. What has no field of its own is JSON, so nothing is out of reach. */
export const SchemaForm = ({ schema, value, problemAt, onBroken, onChange }: SchemaFormProps) => {
  const say = useTexts()
  const node = nodeOf(schema, schema)
  const isEmpty = node.kind === 'json' && Object.keys(value).length === 0
  if (isEmpty && schema.additionalProperties === undefined) return <p className="muted">{say('noArguments')}</p>
  const change = (next: Json | undefined): void => onChange(isObject(next) ? next : {})
  return (
    <FormContext value={{ root: schema, problemAt, onBroken }}>
      <div className="schema-form">
        {node.kind === 'object' ? (
          <Members node={node} value={value} path="" depth={0} onChange={change} />
        ) : (
          <ValueField node={node} label="" required value={value} path="" depth={0} onChange={change} />
        )}
      </div>
    </FormContext>
  )
}

const deepest = 10
const compound: ReadonlySet<FormNode['kind']> = new Set(['object', 'list', 'map', 'choice'])

const ValueField = (props: NestedProps) => {
  const { node, value, depth, required, label, isPart } = props
  const { root } = useForm()
  if (node.kind === 'json' || depth > deepest || !carries(node, value)) return <JsonField {...props} />
  if (!compound.has(node.kind)) return <ScalarField {...props} />
  // What may be left out is opened by whoever wants it: a schema may contain itself without end.
  if (value === undefined || value === null)
    return <Unset {...props} onSet={() => props.onChange(blankOf(node, root) ?? itemBlank(node, root))} />
  if (node.kind === 'choice') return <ChoiceField {...props} />
  return (
    <Group
      {...props}
      note={Array.isArray(value) ? value.length : undefined}
      removable={!required && !isPart && label !== ''}
    >
      {node.kind === 'object' && <Members {...props} value={value as JsonObject} />}
      {node.kind === 'map' && <Entries {...props} value={value as JsonObject} />}
      {node.kind === 'list' && <Items {...props} value={value as readonly Json[]} />}
    </Group>
  )
}

interface PartProps<Value> extends Pick<NestedProps, 'node' | 'path' | 'depth' | 'onChange'> {
  readonly value: Value
}

const Members = ({ node, value, path, depth, onChange }: PartProps<JsonObject>) => {
  const say = useTexts(tryWords)
  const { root } = useForm()
  const members = membersOf(node, root)
  const entry = entryOf(node, root)
  const names = members.map(({ name }) => name)
  const extras = extrasOf(value, names)
  const set = (name: string) => (next: Json | undefined) => onChange(withKey(value, name, next))
  return (
    <>
      {members
        .filter((member) => !isGiven(member, value))
        .map(({ name, node: each, required }) => (
          <ValueField
            key={name}
            node={each}
            label={name}
            required={required}
            value={Object.hasOwn(value, name) ? value[name] : undefined}
            path={pointerTo(path, name)}
            depth={depth + 1}
            onChange={set(name)}
          />
        ))}
      {extras.length > 0 && !entry && <p className="hint">{say('beyondSchema')}</p>}
      {(entry !== undefined || extras.length > 0) && (
        <Entries
          node={node}
          value={value}
          path={path}
          depth={depth}
          onChange={onChange}
          only={extras.map(([name]) => name)}
        />
      )}
    </>
  )
}

/** What has to be this one value, and is: it tells alternatives apart, and nobody has to look at it. */
const isGiven = ({ name, node, required }: FormMember, value: JsonObject): boolean =>
  required && node.kind === 'const' && value[name] !== undefined && carries(node, value[name])

/** Members under names of the writer's choice. */
const Entries = ({
  node,
  value,
  path,
  depth,
  onChange,
  only,
}: PartProps<JsonObject> & { only?: readonly string[] }) => {
  const say = useTexts(tryWords)
  const { root } = useForm()
  const entry = entryOf(node, root)
  return (
    <>
      {(only ?? Object.keys(value)).map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
        <div key={at} className="schema-entry">
          <Text label={say('entryName')} value={name} onChange={(next) => onChange(renamed(value, name, next))} />
          <ValueField
            node={entry ?? nodeOf({}, root)}
            label={name}
            required={false}
            isPart
            value={value[name]}
            path={pointerTo(path, name)}
            depth={depth + 1}
            onChange={(next) => onChange(withKey(value, name, next ?? null))}
          />
          <Button
            kind="quiet"
            icon="close"
            label={say('removeEntry', { name })}
            onClick={() => onChange(withKey(value, name, undefined))}
          />
        </div>
      ))}
      {entry && (
        <Button
          kind="quiet"
          icon="plus"
          onClick={() => onChange(withKey(value, freshKey(value), itemBlank(entry, root)))}
        >
          {say('addItem')}
        </Button>
      )}
    </>
  )
}

const up = 'M8 12.500V3.500M4 7.500l4-4 4 4'
const down = 'M8 3.500v9M4 8.500l4 4 4-4'

const Items = ({ node, label, value, path, depth, onChange }: NestedProps & { readonly value: readonly Json[] }) => {
  const say = useTexts(tryWords)
  const { root } = useForm()
  const most = typeof node.schema.maxItems === 'number' ? node.schema.maxItems : 1000
  return (
    <>
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
        <div className="schema-item" key={index}>
          <ValueField
            node={itemOf(node, index, root)}
            label={`${label} ${index + 1}`.trim()}
            required={false}
            isPart
            value={each}
            path={pointerTo(path, index)}
            depth={depth + 1}
            onChange={(next) => onChange(withItem(value, index, next ?? emptied(each)))}
          />
          <span className="schema-moves">
            {value.length > 1 && (
              <>
                <Button
                  kind="quiet"
                  icon={up}
                  label={say('moveUp', { n: index + 1 })}
                  disabled={index === 0}
                  onClick={() => onChange(moved(value, index, -1))}
                />
                <Button
                  kind="quiet"
                  icon={down}
                  label={say('moveDown', { n: index + 1 })}
                  disabled={index === value.length - 1}
                  onClick={() => onChange(moved(value, index, 1))}
                />
              </>
            )}
            <Button
              kind="quiet"
              icon="close"
              label={say('removeItem', { n: index + 1 })}
              onClick={() => onChange(without(value, index))}
            />
          </span>
        </div>
      ))}
      <Button
        kind="quiet"
        icon="plus"
        disabled={value.length >= most}
        onClick={() => onChange([...value, itemBlank(itemOf(node, value.length, root), root)])}
      >
        {label === '' ? say('addItem') : say('addTo', { name: label })}
      </Button>
    </>
  )
}

/** A list cannot have a hole: what is emptied is an empty text, or nothing. */
const emptied = (before: Json): Json => (typeof before === 'string' ? '' : null)

const ChoiceField = (props: NestedProps) => {
  const say = useTexts(tryWords)
  const { root } = useForm()
  const { node, label, value, required, isPart, onChange } = props
  const branches = branchesOf(node, root)
  const [chosen, setChosen] = useState<number>()
  const held = chosen === undefined ? undefined : branches[chosen]
  const at = chosen !== undefined && held && carries(held.node, value) ? chosen : branchFor(branches, value, root)
  const branch = branches[at]
  const choose = (index: number): void => {
    setChosen(index)
    onChange(itemBlank(branches[index]!.node, root))
  }
  return (
    <Group {...props} removable={!required && !isPart && label !== ''}>
      <Choice
        label={say('whichOf')}
        value={String(at)}
        options={branches.map((each, index) => [String(index), each.label] as const)}
        onChange={(index) => choose(Number(index))}
      />
      {branch &&
        (branch.node.kind === 'object' && isObject(value) ? (
          <Members {...props} node={branch.node} value={value} />
        ) : (
          <ValueField
            {...props}
            node={branch.node}
            required
            depth={props.depth + 1}
            onChange={(next) => onChange(next ?? emptied(value ?? null))}
          />
        ))}
    </Group>
  )
}
