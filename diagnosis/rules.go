package diagnosis

import (
	"cmp"
	"slices"
)

// Rule is one thing that can be wrong with a training. The sentences are the
// reference; check says what they mean for one training.
type Rule struct {
	ID      string // stays the same for ever
	Looks   string // what it looks at
	Limit   string // what it compares with, and where that comes from
	Meaning string // what it means when it fires
	Setting string // what to change
	Gain    string // what that brings, and how it is worked out
	check   check
	audit   audit  // in place of check: a rule about a trainer's config, which may find several things
	subject string // of an audit, in a word or two
}

// check returns a verdict, and whether there is one. It leaves Verdict.Rule to
// Find, and finds nothing where the part that it looks at was not observed.
type check func(Observation) (Verdict, bool)

// rules is the one table. Verdicts whose gain is not known come in its order,
// so that who prints few prints the dearest.
var rules = []Rule{
	workersFewRule,
	ringSmallRule,
	coldCacheRule,
	slowDiskRule,
	slowFillRule,
	slowLinkRule,
	slowPeerRule,
	paddingRule,
	melDTypeRule,
	boundRule,
	peerRule,
	farRule,
	nodeRule,
	linkRule,
	iommuRule,
	gpuMemorySmallRule,
	slowWorkerRule,
	keptRule,
	noOverlapRule,
	batchSmallRule,
	gpuMemoryLargeRule,
	gpuSharedRule,
	oneGPURule,
	batchOverRowsRule,
	tailRule,
	workersRule,
	prefetchLargeRule,
	sameOrderRule,
	checksumsOffRule,
	checksumsAlwaysRule,
	loadShareRule,
	transferShareRule,
	trainShareRule,
	variationRule,
	swapRule,
	growthRule,
	feederCPURule,
	hostCPURule,
	idleRule,
	readinessRule,
	slowStepRule,
	audioVariationRule,

	storeDamagedRule,
	storeEmptyRule,
	driverRule,

	configNativeRule,
	configAsyncRule,
	configWorkersRule,
	configPrefetchRule,
	configGPUPrefetchRule,
	configBatchRule,
	configShapesRule,
	configTextRule,
	configMelRule,
	configXLARule,
	configPrecisionRule,
	configGPUsRule,
	configCapsRule,
	configAheadRule,
	configValuesRule,
	configSpellingRule,
	configForeignRule,
}

// Rules is the table, for a reference.
func Rules() []Rule { return slices.Clone(rules) }

// RuleOf is the rule of an id; false where the table has none, as of a verdict that
// another version wrote.
func RuleOf(id string) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

// Find holds an observation against all rules. What brings most comes first,
// every step of a training before the build, which is done once; what nobody knows
// the gain of comes after it, in the order of the table.
func Find(o Observation) []Verdict {
	found := []Verdict{}
	for _, rule := range rules {
		if rule.check == nil {
			continue
		}
		if v, fires := rule.check(o); fires {
			v.Rule = rule.ID
			found = append(found, v)
		}
	}
	if o.Config != nil {
		for _, s := range Audit(o.Config) {
			found = append(found, s.Found...)
		}
	}
	slices.SortStableFunc(found, ByGain)
	return found
}

// ByGain orders verdicts as Find does.
func ByGain(a, b Verdict) int { return cmp.Compare(weight(b), weight(a)) }

// weight is the gain; what is a part of the build weighs less than any of the
// step, and less than both what is not known.
func weight(v Verdict) float64 {
	switch {
	case v.Gain == nil:
		return -2
	case v.Of == OfBuild:
		return *v.Gain - 1
	}
	return *v.Gain
}
