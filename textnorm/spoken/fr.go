package spoken

import "strings"

// french: groups stand apart by spaces, the first of a month is an ordinal.
func french() *voice {
	return &voice{
		code: "fr", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, gendered: true,
		agree: frenchAgree, part: frenchPart,
		clock:  clockWords{always: true},
		regnal: romanWords{upTo: 1},
	}
}

// frenchAgree: only one has a gender.
func frenchAgree(digits, before, noun string) byte {
	if !strings.HasSuffix(digits, "1") || strings.HasSuffix(digits, "11") || strings.ToLower(noun) != noun {
		return 0
	}
	if oneOf(before, "chapitre page numéro article groupe niveau phase tome version volume partie type ligne") {
		return 0
	}
	if endsIn(strings.TrimSuffix(noun, "s"), "tion sion té ée ette ence ance esse ière euse ade aille ouille elle ille ise erie ine ure ude ienne ienne trice ie aine") && !endsIn(strings.TrimSuffix(noun, "s"), "génie incendie magazine domaine capitaine cimetière derrière comité côté été député traité arrêté lycée musée trophée stade grade murmure mercure parapluie foie") ||
		oneOf(strings.TrimSuffix(noun, "s"), "fois foi c heure ferme arme norme somme forme plateforme personne femme fille semaine minute seconde page voiture maison ville vie nuit main chambre route rue école église lettre place voix tonne équipe pièce table porte ligne île langue rose fleur pomme tasse vache mère sœur") {
		return 'f'
	}
	return 0
}

// frenchPart: un cinquième, deux cinquièmes.
func frenchPart(_ int, ordinal func(form string) string) noun {
	return noun{'m', []string{ordinal(""), ordinal("") + "s"}}
}
