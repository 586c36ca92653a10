export interface ChipsProps<Name extends string> {
  readonly label: string
  readonly options: readonly (readonly [name: Name, text: string])[]
  readonly chosen: Name
  onChoose(name: Name): void
}

/** One of a few, all of them in sight. */
export const Chips = <Name extends string>({ label, options, chosen, onChoose }: ChipsProps<Name>) => (
  <fieldset className="chips" aria-label={label}>
    {options.map(([name, text]) => (
      <button key={name} type="button" className="chip" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
        {text}
      </button>
    ))}
  </fieldset>
)
